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

const answers = new Map<string, Promise<boolean>>();

function ask(question: Question): Promise<boolean> {
  const key = JSON.stringify(question);
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = review(question).catch(() => {
      answers.delete(key);
      return false;
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
  const [may, setMay] = useState<boolean>();
  const key = JSON.stringify(question);
  useEffect(() => {
    let isCurrent = true;
    void ask(JSON.parse(key) as Question).then((answer) => isCurrent && setMay(answer));
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return may;
}
