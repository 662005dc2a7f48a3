/** What the user may do, as the API server sees it; asked once for each question. */
import { useEffect, useState } from 'preact/hooks';
import { send } from './requests.ts';

export interface Question {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string;
}

const AGAIN_MS = 2_000;
const answers = new Map<string, Promise<boolean | undefined>>();

/** Undefined when nobody answered, which is no refusal. */
function ask(question: Question): Promise<boolean | undefined> {
  const key = JSON.stringify(question);
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = review(question).catch(() => {
      answers.delete(key);
      return undefined;
    });
    answers.set(key, answer);
  }
  return answer;
}

async function review(resourceAttributes: Question): Promise<boolean> {
  const response = await send({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    }),
  });
  const { status } = (await response.json()) as { status?: { allowed?: boolean } };
  return status?.allowed === true;
}

/** Undefined until the server has answered. */
export function useMay(question: Question): boolean | undefined {
  return useMayAll([question]);
}

/** May the user do all of it? */
export function useMayAll(questions: readonly Question[]): boolean | undefined {
  const [may, setMay] = useState<boolean>();
  const key = JSON.stringify(questions);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const askAll = async (): Promise<void> => {
      const all = await Promise.all((JSON.parse(key) as Question[]).map(ask));
      if (!isCurrent) return;
      const isUnknown = all.includes(undefined) && !all.includes(false);
      setMay(isUnknown ? undefined : !all.includes(false));
      if (isUnknown) timer = setTimeout(() => void askAll(), AGAIN_MS);
    };
    void askAll();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return may;
}
