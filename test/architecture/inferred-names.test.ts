import { runInNewContext } from 'node:vm';
import { withoutInferredNames } from '../../scripts/bundle/inferred-names.mjs';

/** The helper in the form that the bundler writes. */
const HELPER = `var __name = (f, value) => Object.defineProperty(f, 'name', { value, configurable: true });`;

/** Pieces of code that define `f`. */
const REDUNDANT = [
  `const f = __name(() => 1, "f");`,
  `var f; f = __name(async (a) => a, "f");`,
  `var { f = __name(function () {}, "f") } = {};`,
  `var f; function make(f = __name(() => 1, "f")) { return f } f = make();`,
  `var f = { inner: __name(() => 1, "inner") }.inner;`,
  `var f = new (class { inner = __name(() => 1, "inner") })().inner;`,
  `function f() {} __name(f, "f");`,
  `function f() {} __name(f, "f"), f.x = 1;`,
];
const NEEDED = [
  `const f = __name(() => 1, "g");`,
  `function f() {} __name(f, "g");`,
  `function g() { return __name(f2, "f"); function f2() {} } const f = g();`,
  `const f = (0, __name(() => 1, "f"));`,
  `const f = [__name(() => 1, "f")][0];`,
  `const o = {}; o.f = __name(() => 1, "f"); const f = o.f;`,
  `const o = { ["f"]: __name(() => 1, "f") }; const f = o.f;`,
  `const f = null ?? __name(() => 1, "f");`,
  `class O { #f = __name(() => 1, "f"); get() { return this.#f; } } const f = new O().get();`,
  `const f = Object.getPrototypeOf({ __proto__: __name(() => 1, "__proto__") });`,
  `const f = class { static { __name(this, "g") } };`,
];

const nameOfF = (code: string): unknown => runInNewContext(`${HELPER}(() => { ${code} return f.name })()`);

it.each(REDUNDANT)('the call goes from %s', (code) => {
  const left = withoutInferredNames(code);
  expect(left).not.toContain('__name');
  expect(left).toHaveLength(code.length);
  expect(nameOfF(left)).toBe(nameOfF(code));
});

it.each(NEEDED)('the call stays in %s', (code) => {
  expect(withoutInferredNames(code)).toBe(code);
});

it('ends a build in which the call was needed for its parentheses', () => {
  expect(() => withoutInferredNames(`for (let f = __name(() => "a" in b, "f"); ; ) f();`)).toThrow(
    SyntaxError,
  );
});
