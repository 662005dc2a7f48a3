/** The runbook page of an alert. Pure. */
import type { Alert } from '../../packages/api/src/metrics/alerts/alert.ts';

/** `alerts` share a name; they differ in severity. */
export function runbookPage(alerts: readonly Alert[]): string {
  return `# ${alerts[0]?.name}\n\n${alerts.map((alert) => section(alert)).join('\n')}`;
}

function section(alert: Alert): string {
  const { severity, impact, holds, summary, meaning, confirm, remedy, expression } = alert;
  const when = holds === undefined ? 'as soon as' : `when for ${holds}`;
  return `Severity ${severity}; effect on the installation: ${impact}.

> ${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')}

## Meaning

${meaning}

It fires ${when} this has a result:

\`\`\`promql
${expression}
\`\`\`

## Confirm

${confirm.map((line) => `- \`${line}\``).join('\n')}

## Do

${remedy.map((line, i) => `${i + 1}. ${line}`).join('\n')}
`;
}
