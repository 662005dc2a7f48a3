/** The pages of docs/runbooks as Prometheus serves them beside its own (its "console templates"). Pure. */

/** Where Prometheus has the page of an alert, below its address. */
export const RUNBOOK_PATH = '/consoles/%s.html';

/** `markdown` as a page that reads well as it is; Prometheus takes `{{` for a template. */
export function runbookHtml(name: string, markdown: string): string {
  const text = markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{{', '{{"{{"}}');
  return `<!DOCTYPE html>
<meta charset="utf-8">
<title>${name}</title>
<pre style="white-space: pre-wrap; max-width: 100ch; margin: 2em auto; font-size: 1.1em">${text}</pre>
`;
}
