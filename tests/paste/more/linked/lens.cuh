#pragma once
#define LENS_SCALE 2.0f
