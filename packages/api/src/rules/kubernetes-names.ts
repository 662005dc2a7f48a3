/** Kubernetes' rules for names, as lists of what is wrong; an empty list means valid. */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** RFC 1123 label: what a hostname or container name must be. */
export function dnsLabelProblems(value: string): string[] {
  // A name that fails for its dots alone is told so.
  if (value.includes('.') && dnsSubdomainProblems(value).length === 0)
    return [...tooLong(value, 63), 'must not contain dots'];
  return [
    ...tooLong(value, 63),
    ...mismatch(
      value,
      LABEL,
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    ),
  ];
}

/** RFC 1123 subdomain: what most object names must be. */
export function dnsSubdomainProblems(value: string): string[] {
  return [
    ...tooLong(value, 253),
    ...mismatch(
      value,
      SUBDOMAIN,
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
    ),
  ];
}

/** Name of a Service port: up to 15 lower-case letters, digits and single dashes, with a letter in it. */
export function isPortName(value: string): boolean {
  return (
    value.length <= 15 &&
    /^[-a-z0-9]+$/.test(value) &&
    /[a-z]/.test(value) &&
    !value.includes('--') &&
    !value.startsWith('-') &&
    !value.endsWith('-')
  );
}

/** `prefix/name`: what a label key or topology key must be. */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2)
    return [
      `a qualified name ${qualifiedNameText()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = parts.at(-1) ?? '';
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...tooLong(name, 63).map((problem) => `name part ${problem}`));
  problems.push(...mismatch(name, QUALIFIED_NAME, `name part ${qualifiedNameText()}`));
  return problems;
}

/** Value of a label. */
export function labelValueProblems(value: string): string[] {
  return [
    ...tooLong(value, 63),
    ...mismatch(
      value,
      '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ),
  ];
}

function qualifiedNameText(): string {
  return `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_NAME}')`;
}

function tooLong(value: string, limit: number): string[] {
  return value.length > limit ? [`must be no more than ${limit} characters`] : [];
}

function mismatch(value: string, pattern: string, message: string): string[] {
  return new RegExp(`^${pattern}$`).test(value) ? [] : [message];
}
