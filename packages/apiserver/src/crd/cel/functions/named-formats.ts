/** Kubernetes' formats by name: `format.dns1123Label().validate(self)` tells the problems, or nothing. */
import { type Environment, Optional } from '@marcbachmann/cel-js';
import { label1035Problems, labelProblems, subdomainProblems } from '../../../verbs/metadata.ts';
import { labelKeyProblems, labelValueProblems } from '../../../wire/label-selector.ts';
import { formatProblem } from '../../formats.ts';
import { declaring, namespace } from './declare.ts';

type Problems = (text: string) => readonly string[];

class Format {
  readonly problems: Problems;
  constructor(problems: Problems) {
    this.problems = problems;
  }
}

/** A prefix may end with a dash: a name goes on behind it. */
const prefix =
  (problems: Problems): Problems =>
  (text) =>
    problems(text.replace(/-$/, 'a'));

const known =
  (format: string, words: string): Problems =>
  (text) =>
    formatProblem(format, text) === undefined ? [] : [words];

const FORMATS: Readonly<Record<string, Problems>> = {
  dns1123Label: labelProblems,
  dns1123Subdomain: subdomainProblems,
  dns1035Label: label1035Problems,
  qualifiedName: labelKeyProblems,
  dns1123LabelPrefix: prefix(labelProblems),
  dns1123SubdomainPrefix: prefix(subdomainProblems),
  dns1035LabelPrefix: prefix(label1035Problems),
  labelValue: labelValueProblems,
  uri: known('uri', 'invalid URI'),
  uuid: known('uuid', 'does not match the UUID format'),
  byte: known('byte', 'invalid base64'),
  date: known('date', 'invalid date'),
  datetime: known('date-time', 'invalid datetime'),
};

export function declareFormats(env: Environment): void {
  const type = 'kubernetes.NamedFormat';
  env.registerType(type, Format);
  const made = Object.entries(FORMATS).map(([name, problems]) => [name, new Format(problems)] as const);
  namespace(env, 'format', {
    ...Object.fromEntries(made.map(([name, format]) => [`${name}(): ${type}`, () => format])),
    [`named(string): optional<${type}>`]: (name: string) =>
      Optional.of(made.find(([one]) => one === name)?.[1]),
  });
  declaring(env)(`${type}.validate(string): optional<list<string>>`, ({ problems }: Format, text: string) => {
    const found = problems(text);
    return found.length === 0 ? Optional.none() : Optional.of([...found]);
  });
}
