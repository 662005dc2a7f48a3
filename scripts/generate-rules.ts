/** Writes docs/rules.md from the rules of @podvisor/api. `--check` fails when the page is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type RuleGroup, ruleGroups } from '../packages/api/src/rules/catalogue.ts';

const target = new URL('../docs/rules.md', import.meta.url).pathname;

const INTRO = `# Rules

What virt-api checks before it lets an object in. Printed from \`packages/api/src/rules\` by
\`node scripts/generate-rules.ts\`; do not edit. All broken rules of an object are reported at once, each with
its field. The rules of other kinds are in \`packages/api/src/rules/other\`, one file a kind.
`;

function section({ rules, scope, title }: RuleGroup): string {
  const rows = rules.map(({ field, id, summary }) => `| \`${field || '–'}\` | ${summary} | \`${id}\` |`);
  return `## ${title}\n\n${scope}\n\n| Field | Rule | Id |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const text = [INTRO, ...ruleGroups.map(section)].join('\n');
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('docs/rules.md is out of date: run node scripts/generate-rules.ts');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}
