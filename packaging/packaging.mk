# What kjit is handed on as: an archive of its sources, Debian packages. Included by the Makefile.

# ---- an archive of the sources -----------------------------------------------------------------

ARCHIVE = $(BUILD)/dist/kjit-$(VERSION).tar.gz
# What git knows of, as it lies there, with the time and the names of nobody.
TAR     = tar --sort=name --mtime=@$(SOURCE_DATE_EPOCH) --owner=0 --group=0 --numeric-owner \
          --mode=go+r,go-w --format=gnu
TRACKED = { if [ -e .git ]; then \
                git ls-files --cached --others --exclude-standard -z -- . ':!.ci'; \
            else \
                find . \( -path ./build -o -path ./.ci \) -prune -o ! -type d -printf '%P\0'; \
            fi; }

dist:
	@mkdir -p $(BUILD)/dist
	$(V)$(TRACKED) | $(TAR) --null --files-from=- --transform 's|^|kjit-$(VERSION)/|S' -cf - | \
	    gzip -n9 >$(ARCHIVE)
	@echo $(ARCHIVE)

# ---- Debian packages ---------------------------------------------------------------------------

# They are built in $(DEB)/kjit-VERSION, from nothing; DEB_BUILD=build packs what is built there.
DEB       = $(BUILD)/deb
DEB_BUILD =
DEB_TREE  = $(DEB)/kjit-$(VERSION)
CHANGED   = $(shell LC_ALL=C TZ=UTC date -R -d @$(SOURCE_DATE_EPOCH))

# The library's package bears the number of its interface: libkjit0. tar keeps the files' times, by
# which make knows that what is built is newer; so have the folders that are asked for theirs.
deb:
	@rm -rf $(DEB)
	@mkdir -p $(DEB_TREE)
	$(V)$(TRACKED) | tar --null --files-from=- -cf - | tar -xf - -C $(DEB_TREE)
	$(V)for folder in $$(find stdlib $(PYTHON_LIBRARY) -type d); do \
	    touch -r $$folder $(DEB_TREE)/$$folder; done
	$(V)cp -r packaging/debian $(DEB_TREE)/debian
	$(V)cd $(DEB_TREE)/debian && sed -i 's/@MAJOR@/$(MAJOR)/' control && \
	    mv libkjit.install libkjit$(MAJOR).install
	$(V)printf '%s\n' 'kjit ($(VERSION)) unstable; urgency=medium' '' \
	    '  * See CHANGELOG.md.' '' \
	    ' -- The kjit developers <kjit@localhost>  $(CHANGED)' >$(DEB_TREE)/debian/changelog
	$(V)cd $(DEB_TREE) && $(if $(DEB_BUILD),BUILD=$(abspath $(DEB_BUILD))) \
	    MAKEFLAGS= dpkg-buildpackage -b -us -uc -j$(or $(JOBS),$(shell nproc)) >../log 2>&1 || \
	    { tail -n 20 ../log; exit 1; }
	@rm -rf $(DEB_TREE)
	@ls $(DEB)/*.deb

# They are installed, used and removed in a system of their own.
test-clean: deb
	@tests/clean.sh $(DEB)

# ---- one file of C ------------------------------------------------------------------------------

# kjit.c and kjit.h, for those who keep the library among their own sources: one call of a compiler
# builds it, cc -O2 -c kjit.c, and programs are linked with -ldl -lpthread -lm.
amalgamation: $(BUILD)/amalgamation/kjit.c

$(BUILD)/amalgamation/kjit.c: packaging/amalgamate.py $(TREE) $(TEXTS) $(GENERATED) \
                              $(wildcard include/*.h)
	$(V)$(PYTHON) -B $< $(BUILD) $(@D) $(SOURCES) $(GENERATED)

.PHONY: dist deb test-clean amalgamation
