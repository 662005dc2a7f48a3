/** Why an image could not be copied, in words for who wrote its name: causes that have a name come first. */

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/manifest unknown|name unknown|not found/i, 'the registry does not have it'],
  [/unauthorized|authentication required|denied/i, 'the registry wants other credentials (imagePullSecrets)'],
  [
    /no such host/i,
    'the name of its registry cannot be resolved; an image of this machine is made with `podvisor image build` or `import`',
  ],
  [/connection refused|i\/o timeout|no route to host/i, 'its registry does not answer'],
  [/certificate/i, "its registry's certificate is not trusted (/etc/containers/certs.d)"],
  [/digest|does not match/i, 'what arrived is not what its digest says'],
];

/** Of skopeo's words; they follow as detail. */
export function pullCause(said: string): string {
  const text = sentence(said);
  const known = CAUSES.find(([pattern]) => pattern.test(text))?.[1];
  return known === undefined ? text : `${known} (${text})`;
}

/** skopeo logs in key="value" form; the sentence is in msg. */
function sentence(text: string): string {
  return /msg="((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"') ?? text;
}
