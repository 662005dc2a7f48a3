/**
 * `authorizer` in CEL: what the user of a request may do. Steps such as `group('').resource('pods')` make a question,
 * `check('create')` asks it.
 */
import type { Environment } from '@marcbachmann/cel-js';

/** What is asked. */
export interface AccessQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set for a path outside the resources. */
  readonly path: string;
}

export type Ask = (
  question: AccessQuestion & { readonly verb: string },
  serviceAccount: string | undefined,
) => { readonly allowed: boolean; readonly reason: string };

const NOTHING: AccessQuestion = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
};

/** A question that is being put together. */
export class CelAuthorizer {
  readonly ask: Ask;
  readonly question: AccessQuestion;
  /** `system:serviceaccount:…` of somebody else than the user of the request. */
  readonly serviceAccount: string | undefined;
  /** The resource of the request itself. */
  readonly requestResource: CelAuthorizer | undefined;

  constructor(
    ask: Ask,
    question: AccessQuestion = NOTHING,
    serviceAccount?: string,
    request?: Partial<AccessQuestion>,
  ) {
    this.ask = ask;
    this.question = question;
    this.serviceAccount = serviceAccount;
    this.requestResource =
      request === undefined ? undefined : new CelAuthorizer(ask, { ...NOTHING, ...request });
  }

  with(change: Partial<AccessQuestion>): CelAuthorizer {
    return new CelAuthorizer(this.ask, { ...this.question, ...change }, this.serviceAccount);
  }
}

class CelDecision {
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: ReturnType<Ask>) {
    this.allowed = allowed;
    this.reason = reason;
  }
}

export const AUTHORIZER_TYPE = 'kubernetes.authorization.Authorizer';
const DECISION = 'kubernetes.authorization.Decision';

/** Adds types and functions to an environment. */
export function registerAuthorizer(env: Environment): void {
  env
    .registerType(AUTHORIZER_TYPE, { ctor: CelAuthorizer, fields: { requestResource: AUTHORIZER_TYPE } })
    .registerType(DECISION, CelDecision);
  const f = (signature: string, handler: (...args: never[]) => unknown): void =>
    void env.registerFunction(signature, handler as (...args: unknown[]) => unknown);
  for (const step of ['group', 'resource', 'subresource', 'namespace', 'name', 'path'])
    f(`${AUTHORIZER_TYPE}.${step}(string): ${AUTHORIZER_TYPE}`, (asker: CelAuthorizer, value: string) =>
      asker.with({ [step]: value }),
    );
  f(
    `${AUTHORIZER_TYPE}.serviceAccount(string, string): ${AUTHORIZER_TYPE}`,
    (asker: CelAuthorizer, namespace: string, name: string) =>
      new CelAuthorizer(asker.ask, asker.question, `system:serviceaccount:${namespace}:${name}`),
  );
  f(
    `${AUTHORIZER_TYPE}.check(string): ${DECISION}`,
    ({ ask, question, serviceAccount }: CelAuthorizer, verb: string) =>
      new CelDecision(ask({ ...question, verb }, serviceAccount)),
  );
  f(`${DECISION}.allowed(): bool`, (decision: CelDecision) => decision.allowed);
  f(`${DECISION}.reason(): string`, (decision: CelDecision) => decision.reason);
  f(`${DECISION}.errored(): bool`, () => false);
  f(`${DECISION}.error(): string`, () => '');
}
