import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExpression, checkingEnvironment, evaluate } from './cel.ts';

const SELF = 'abc';
const checking = checkingEnvironment().registerVariable('self', 'string');

/** Each is a bool that holds, and is of that type when it is checked. */
const hold: Readonly<Record<string, readonly string[]>> = {
  addresses: [
    'isIP("::1") && !isIP("10.0.0.256") && !isIP("::ffff:1.2.3.4")',
    'ip("10.0.0.1").family() == 4 && ip("::1").isLoopback()',
    'ip("224.0.0.5").isLinkLocalMulticast() && ip("169.254.1.1").isLinkLocalUnicast()',
    'ip("8.8.8.8").isGlobalUnicast() && !ip("0.0.0.0").isGlobalUnicast()',
    'ip.isCanonical("::1") && !ip.isCanonical("0:0::1")',
    'ip("::1") == ip("0:0:0:0:0:0:0:1")',
    'cidr("10.0.0.0/8").containsIP("10.2.3.4") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.1"))',
    'cidr("fd00::/16").containsCIDR("fd00:1::/64") && !cidr("fd00::/64").containsCIDR(cidr("fd00::/16"))',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && string(cidr("fd00:1::/16").masked()) == "fd00::/16"',
    'cidr("10.1.2.3/8").ip() == ip("10.1.2.3") && cidr("10.1.2.3/8").prefixLength() == 8',
    'isCIDR("10.0.0.0/32") && !isCIDR("10.0.0.0/33") && !isCIDR("10.0.0.0/08") && !isCIDR("10.0.0.0")',
  ],
  quantities: [
    'quantity("1Gi").sub(quantity("1Mi")).isGreaterThan(quantity("1000Mi"))',
    'quantity("1").add(2).asInteger() == 3 && quantity("5").sub(7).sign() == -1',
    'quantity("1000m") == quantity("1") && quantity("50m").asApproximateFloat() == 0.05',
  ],
  versions: [
    'semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
    'semver("1.0.0-2").compareTo(semver("1.0.0-rc")) == -1 && semver("1.0.0+a") == semver("1.0.0+b")',
    'isSemver("1.2.3") && !isSemver("1.2") && isSemver("v1.02", true)',
    'semver("v1.2", true).patch() == 0',
  ],
  formats: [
    '!format.dns1123Label().validate(self).hasValue()',
    'format.dns1123Label().validate("A_").value().size() == 1',
    'format.named("uuid").hasValue() && !format.named("unknown").hasValue()',
    '!format.dns1035LabelPrefix().validate("a-").hasValue()',
  ],
  'lists and sets': [
    'sets.contains([1, 2], [2]) && !sets.intersects([1], [2]) && sets.equivalent([1, 2], [2, 1, 1])',
    '[3, 1, 2].sort() == [1, 2, 3] && [1, 2].reverse() == [2, 1] && [1, 1].distinct() == [1]',
    '[1, 2, 3].slice(0, 2) == [1, 2] && lists.range(2) == [0, 1] && [[1], [2]].flatten() == [1, 2]',
    '[1, 2].sum() == 3 && [1, 2].max() == 2 && ["b", "a"].min() == "a" && ![2, 1].isSorted()',
    '[timestamp("2020-01-01T00:00:00Z")].indexOf(timestamp("2021-01-01T00:00:00Z")) == -1',
  ],
  texts: [
    '"%s is %d, %.2f, %x".format([self, 3, 1.5, 255]) == "abc is 3, 1.50, ff"',
    '"%s %s".format([[1, 2], {"b": 1, "a": true}]) == "[1, 2] {a: true, b: 1}"',
    'self.charAt(3) == "" && "abab".replace("a", "x", 1) == "xbab"',
    'self.matches("(?i)^ABC$") && matches(self, "b") && ["abc"].all(x, x.matches("[[:alpha:]]{3}"))',
    'self.find("[[:alpha:]]+") == "abc" && "a1b2".findAll("[a-z]", 1) == ["a"]',
    'strings.quote("a\\nb") == "\\"a\\\\nb\\""',
  ],
  URLs: [
    'url("https://a:1/b?x=1&x=2").getQuery()["x"] == ["1", "2"] && url("/p").getScheme() == ""',
    'url("https://[::1]:80/").getHostname() == "::1" && isURL("https://a") && !isURL("a b")',
  ],
  conversions: [
    'string(timestamp("2020-01-01T00:00:00Z")) == "2020-01-01T00:00:00Z"',
    'int(timestamp("1970-01-01T00:01:00Z")) == 60 && int(3u) == 3',
  ],
  'keys and values': [
    '{"a": 1}.all(k, v, k == "a" && v == 1) && ["x"].exists(i, v, i == 0 && v == "x")',
    '{"a": 1, "b": 2}.existsOne(k, v, v > 1)',
    '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 2) == {"b": 4}',
    '["a"].transformList(i, v, string(i) + v) == ["0a"]',
    '{"a": "b"}.transformMapEntry(k, v, {v: k}) == {"b": "a"}',
  ],
  'optional values': [
    'optional.of(self).optMap(s, s + "d") == optional.of("abcd")',
    'optional.of(self).optFlatMap(s, optional.none()) == optional.none()',
    '!optional.none().optMap(x, x).hasValue()',
    'optional.ofNonZeroValue("") == optional.none() && optional.ofNonZeroValue(0) == optional.none()',
    'optional.ofNonZeroValue([1]).hasValue() && optional.of(1) != optional.of(2)',
    '!(optional.of(1) == null) && timestamp("2020-01-01T00:00:00Z") != null',
    '{"a": {"b": 1}}.?a.?b.optMap(b, b + 1).orValue(0) == 2',
    '["a", "b"].all(x, optional.of(x).optMap(y, y + x).value() == x + x)',
  ],
  'what is there': [
    'has({"a": 1}.a) && !has({"a": 1}.b)',
    'has([{"a": {"b": 1}}][0].a.b) && !has([{"a": {}}][0].a.b)',
    '[{"a": 1}].all(x, has(x.a)) && has({"k": {"a": 1}}["k"].a)',
  ],
};

for (const [topic, expressions] of Object.entries(hold))
  test(`CEL functions of Kubernetes: ${topic}`, () => {
    for (const expression of expressions) {
      const { type, error } = checkExpression(checking, expression).result;
      assert.equal(type, 'bool', `${expression}: ${error?.message ?? ''}`);
      assert.equal(evaluate(expression, { self: SELF }), true, expression);
    }
  });

const fail: readonly [expression: string, message: RegExp][] = [
  ['has([{"a": 1}][1].a)', /^index out of bounds: 1$/],
  ['has({"a": {"b": 1}}.c.b)', /^no such key: c$/],
  ['ip("a")', /^IP Address "a" parse error during conversion from string/],
  ['self.charAt(4)', /^index out of range: 4$/],
  ['[1].slice(0, 2)', /cannot slice\(0, 2\), list is length 1/],
  ['lists.range(1000000000)', /is larger than 1000000$/],
  ['[].min()', /^min called on empty list$/],
  ['quantity("500m").asInteger()', /cannot convert value to integer/],
  ['self.matches("(")', /error parsing regexp: missing closing \): `\(`/],
  ['"%d".format(["a"])', /decimal clause can only be used on integers/],
  ['"%d %d".format([1])', /index 1 out of range/],
];

test('CEL functions of Kubernetes that cannot be evaluated say why', () => {
  for (const [expression, message] of fail)
    assert.throws(() => evaluate(expression, { self: SELF }), { message }, expression);
});
