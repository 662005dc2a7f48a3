/** Writes docs/rules.md from the rules of @podvisor/api. `--check` fails when the page is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type RuleGroup, ruleGroups } from '../packages/api/src/rules/catalogue.ts';
import { exampleErrors } from '../packages/api/src/rules/examples/errors.ts';
import { kindRules } from '../packages/api/src/rules/examples/other.ts';

const target = new URL('../docs/rules.md', import.meta.url).pathname;

const INTRO = `# Rules

What virt-api checks before it lets an object in. Printed from \`packages/api/src/rules\` by
\`node scripts/generate-rules.ts\`; do not edit. All broken rules of an object are reported at once, each with
its field. Every example is the answer to an object that breaks the rule (\`packages/api/src/rules/examples\`).
`;

const HEAD = '| Field | Rule | Example of the error |\n|---|---|---|\n';

/** One row; what would end a cell or a line is written so that it does not. */
function row(field: string, summary: string, error: string): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
  return `| \`${field || '–'}\` | ${cell(summary)} | ${cell(error)} |`;
}

function section({ rules, scope, title }: RuleGroup): string {
  const rows = rules.map(({ field, id, summary }) =>
    row(field, summary, exampleErrors.get(id)?.message ?? ''),
  );
  return `## ${title}\n\n${scope}\n\n${HEAD}${rows.join('\n')}\n`;
}

function kindSection(kind: string): string {
  const rows = kindRules
    .filter((rule) => rule.kind === kind)
    .map(({ broken, field, summary }) => row(field, summary, broken().message));
  return `## ${kind}\n\n${HEAD}${rows.join('\n')}\n`;
}

const kinds = [...new Set(kindRules.map(({ kind }) => kind))];
const text = [INTRO, ...ruleGroups.map(section), ...kinds.map(kindSection)].join('\n');
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('docs/rules.md is out of date: run node scripts/generate-rules.ts');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}
