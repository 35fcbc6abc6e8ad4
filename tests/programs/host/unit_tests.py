"""unittest: which methods run, in which order, and what comes of them."""
import unittest


class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print("class", cls.__name__)

    def setUp(self):
        print("setup")

    def tearDown(self):
        print("down")

    def test_b(self):
        self.assertEqual(1, 2, "no")

    def test_a(self):
        self.assertIn(3, [1])

    def test_c(self):
        {}["x"]

    def test_d(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 2)

    @unittest.skipIf(True, "why")
    def test_e(self):
        print("never")

    @unittest.expectedFailure
    def test_f(self):
        self.fail("yes")

    def test_g(self):
        with self.assertRaises(ValueError):
            int("3")

    def test_h(self):
        self.addCleanup(print, "cleaned")
        self.skipTest("later")

    def test_i(self):
        with self.assertRaises(KeyError) as caught:
            {}["x"]
        self.assertEqual(str(caught.exception), "'x'")
        self.assertRaises(ZeroDivisionError, lambda: 1 / 0)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertListEqual([1], [1])
        self.assertIsNone(None)
        self.assertCountEqual([1, 2], [2, 1])


class B(A):
    def test_b(self):
        pass


suite = unittest.TestLoader().loadTestsFromTestCase(B)
print(suite.countTestCases(), [test.id() for test in suite])
result = unittest.TestResult()
for cls in (A, B):
    cls.setUpClass()
    for test in unittest.TestLoader().loadTestsFromTestCase(cls):
        test.run(result)
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped),
      result.wasSuccessful(), len(result.expectedFailures))
print(str(result.failures[0][0]), result.failures[0][1].splitlines()[-1])
