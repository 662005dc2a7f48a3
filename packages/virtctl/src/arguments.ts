/**
 * Command lines as people know them from virtctl: `--flag=true` and `--flag=false` for switches, which the
 * parser underneath does not take.
 */
import type { Command } from 'commander';

/** The same words with `--switch=true|false` written as `--switch`, `--no-switch` or nothing. */
export function normalizeSwitches(words: readonly string[], program: Command): readonly string[] {
  const switches = new Set<string>();
  const collect = (command: Command): void => {
    for (const option of command.options)
      if ((option.isBoolean() || option.negate) && option.long !== undefined) switches.add(option.long);
    command.commands.forEach(collect);
  };
  collect(program);
  const end = words.indexOf('--');
  return words.flatMap((word, index) => {
    const match = /^(--[\w-]+)=(true|false|1|0)$/i.exec(word);
    if (match === null || (end >= 0 && index > end)) return [word];
    const [, flag = '', value = ''] = match;
    const negated = `--no-${flag.slice(2)}`;
    const positive = value === '1' || value.toLowerCase() === 'true';
    if (switches.has(negated)) return positive ? (switches.has(flag) ? [flag] : []) : [negated];
    if (!switches.has(flag)) return [word];
    return positive ? [flag] : [];
  });
}
