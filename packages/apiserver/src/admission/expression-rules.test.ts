import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExpressionScope, expressionErrors, WEBHOOK_SCOPE } from './expression-rules.ts';

const POLICY: ExpressionScope = { names: ['namespaceObject'], authorizer: true, variables: ['limit'] };
const detail = (...args: Parameters<typeof expressionErrors>): string =>
  expressionErrors(...args)
    .map(({ message }) => message)
    .join(' ');

test('expressions that Kubernetes takes', () => {
  for (const expression of [
    'object.spec.replicas <= variables.limit',
    'has(object.spec) && object.spec.containers.all(c, c.image.startsWith("a"))',
    'authorizer.requestResource.check("custom").allowed()',
    'namespaceObject.metadata.name == "a" || request.operation == "CREATE"',
    'object.metadata.labels.transformMap(key, value, value).size() > 0',
    'cidr("10.0.0.0/8").containsIP("10.1.1.1")',
    'format.dns1123Label().validate("a").hasValue()',
    'object.?spec.orValue({}) == {}',
    'has(object.spec.containers[0].image) && has(request.userInfo.extra)',
    'object.?metadata.?labels.optMap(l, size(l) > 1).orValue(false)',
    'request.userInfo.groups.exists(g, g == "a") && has(request.userInfo.extra.x)',
    'request.kind.group == "apps" && request.options.dryRun == ["All"]',
  ])
    assert.deepEqual(expressionErrors(expression, 'p', POLICY, ['bool']), [], expression);
  assert.deepEqual(expressionErrors('object.metadata.name', 'p', POLICY), [], 'a variable is what it is');
  assert.deepEqual(expressionErrors('null', 'p', POLICY, ['string', 'null']), []);
});

test('names that are not there', () => {
  assert.match(detail('whoever == 1', 'p', POLICY), /1:1: undeclared reference to 'whoever'/);
  assert.match(detail('params.x == 1', 'p', POLICY), /undeclared reference to 'params'/);
  assert.match(detail('variables.other', 'p', POLICY), /undefined field 'other'/);
  assert.match(detail('request.object.a == 1', 'p', POLICY), /1:8: undefined field 'object'/);
  assert.match(detail('request.name == 1', 'p', POLICY), /applied to '\(string, int\)'/);
  assert.match(detail('nothing(object)', 'p', POLICY), /1:8: undeclared reference to 'nothing'/);
  assert.match(detail('variables.limit', 'p', WEBHOOK_SCOPE), /undeclared reference to 'variables'/);
  assert.match(
    detail('authorizer.path("/x").check("get").allowed()', 'p', { ...POLICY, authorizer: false }),
    /undeclared reference to 'authorizer'/,
  );
});

test('what an expression comes to', () => {
  assert.match(detail('"a"', 'p', POLICY, ['bool']), /must evaluate to bool/);
  assert.match(detail('object.spec.replicas', 'p', POLICY, ['bool']), /must evaluate to bool/);
  assert.match(detail('1 == 1', 'p', POLICY, ['string']), /must evaluate to string/);
  assert.match(detail('1', 'p', POLICY, ['string', 'null']), /must evaluate to one of \[string null_type\]/);
});
