import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, parseCanonical } from '../../server/features/direct/wire/canonical-json.ts';
import { WireError } from '../../server/features/direct/wire/wire-error.ts';

/** Numbers of RFC 8785, appendix B: the bits of a double, and its text. */
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

const faultOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof WireError) return error.fault;
    throw error;
  }
  return 'none';
};

describe('canonical JSON', () => {
  test('rule (direct): what is signed is canonical JSON as RFC 8785 has it', () => {
    const sample = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(sorted)).toSorted()).toEqual(names.toSorted());
    const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(sorted).toBe(`{${order.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  test.each(NUMBERS)('writes the number of the bits %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  test('parses to the same value, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(parseCanonical(Buffer.from(text), 1_000_000))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each([
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['a number that is not finite', Number.NaN],
    ['nothing', undefined],
    ['a date', new Date(0)],
    ['a function', () => 1],
  ])('refuses %s', (_what, value) => {
    expect(faultOf(() => canonicalJson(value))).toBe('malformed');
  });

  test.each([
    ['white space', '{"a": 1}'],
    ['another order', '{"b":1,"a":2}'],
    ['a name twice', '{"a":1,"a":1}'],
    ['another number form', '{"a":1.0}'],
    ['needless escapes', '{"a":"\\u0041"}'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['a hidden prototype', '{"__proto__":{"a":1},"a":1} '],
    ['something after it', '{"a":1}1'],
  ])('takes no text with %s', (_what, text) => {
    expect(faultOf(() => parseCanonical(Buffer.from(text), 1_000))).toBe('malformed');
  });

  test('takes no bytes that are not UTF-8, none that are too many, and no deep nesting', () => {
    expect(faultOf(() => parseCanonical(Buffer.from([0x22, 0xff, 0x22]), 10))).toBe('malformed');
    expect(faultOf(() => parseCanonical(Buffer.from('"1234567890"'), 10))).toBe('oversized');
    const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    expect(faultOf(() => parseCanonical(Buffer.from(deep), 16_384))).toBe('malformed');
  });
});
