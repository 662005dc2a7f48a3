/** YAML of plain data, every text in double quotes: what JSON says, in lines that a person can read and compare. */

export function plainYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value))
    return value.length === 0 ? ['[]'] : value.flatMap((one) => marked('- ', lines(one)));
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (entries.length === 0) return ['{}'];
  return entries.flatMap(([key, one]) => {
    const [first = '', ...rest] = lines(one);
    const name = /^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key);
    const isBlock = rest.length > 0 || (typeof one === 'object' && one !== null && !/^[[{]/.test(first));
    return isBlock ? [`${name}:`, ...[first, ...rest].map((line) => `  ${line}`)] : [`${name}: ${first}`];
  });
}

function marked(mark: string, [first = '', ...rest]: readonly string[]): readonly string[] {
  return [`${mark}${first}`, ...rest.map((line) => `${' '.repeat(mark.length)}${line}`)];
}
