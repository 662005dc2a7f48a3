/** adm log-verbosity: how much the components log, in the KubeVirt object. */
import type { Command } from 'commander';
import { openSession } from '../kube-access.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';
import { getJson, nameOf, objectPath, patchJson } from '../requests.ts';
import { say, type Shell } from '../shell.ts';

/** Component → its field in `developerConfiguration.logVerbosity`. */
const COMPONENTS: Readonly<Record<string, string>> = {
  'virt-api': 'virtAPI',
  'virt-controller': 'virtController',
  'virt-handler': 'virtHandler',
  'virt-launcher': 'virtLauncher',
  'virt-operator': 'virtOperator',
};
const DEFAULT_LEVEL = 2;
const DEVELOPER = '/spec/configuration/developerConfiguration';

/** Component or `all` → level, or true to show it. */
type AskedLevels = ReadonlyMap<string, number | true>;

export function addAdmCommands(program: Command, shell: Shell): void {
  const command = program
    .command('adm')
    .description('Administrate the installation.')
    .command('log-verbosity')
    .description('Show, set or reset how much the components log (0 … 9).');
  for (const component of [...Object.keys(COMPONENTS), 'all'])
    command.option(
      `--${component} [level]`,
      `show, or set, the level of ${component === 'all' ? 'all components' : component}`,
    );
  command
    .option('--reset', 'back to the default', false)
    .action(async (flags: Readonly<Record<string, unknown>>, self: Command) => {
      const asked = askedOf(flags);
      const reset = flags['reset'] === true;
      const shown = [...asked.values()].some((level) => level === true);
      const set = reset || [...asked.values()].some((level) => level !== true);
      if (!shown && !set) throw new Error('no flag specified: name a component, --all or --reset');
      if (shown && set) throw new Error('only show or set is allowed');
      const { client } = openSession(self, shell);
      const list = listOf(at(await getJson(client, '/apis/kubevirt.io/v1/kubevirts'), 'items'));
      if (list.length === 0) throw new Error('could not detect a KubeVirt installation');
      if (list.length > 1)
        throw new Error('invalid kubevirt installation, more than one KubeVirt resource found');
      const namespace = textOf(at(list[0], 'metadata', 'namespace')) ?? 'kubevirt';
      const path = objectPath('kubevirt.io/v1', namespace, 'kubevirts', nameOf(list[0]));
      const kubevirt = await getJson(client, path);
      if (shown) return verbosityLines(kubevirt, asked).forEach((line) => say(shell, line));
      const patch = verbosityPatch(kubevirt, asked, reset);
      if (patch.length > 0) await patchJson(client, path, patch);
      say(shell, 'successfully set/reset the log verbosity');
    });
}

function askedOf(flags: Readonly<Record<string, unknown>>): AskedLevels {
  const asked = new Map<string, number | true>();
  for (const component of [...Object.keys(COMPONENTS), 'all']) {
    const value = flags[component.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value === true) asked.set(component, true);
    if (typeof value !== 'string') continue;
    if (!/^[0-9]$/.test(value)) throw new Error(`${component}: log verbosity must be 0-9`);
    asked.set(component, Number(value));
  }
  return asked;
}

/** `component=level` for the components asked for. Pure. */
export function verbosityLines(kubevirt: unknown, asked: AskedLevels): readonly string[] {
  const levels = plainOf(at(kubevirt, 'spec', 'configuration', 'developerConfiguration', 'logVerbosity'));
  return Object.entries(COMPONENTS)
    .filter(([component]) => asked.has('all') || asked.has(component))
    .map(([component, field]) => `${component}=${Number(levels[field] ?? DEFAULT_LEVEL)}`);
}

/** The change as a JSON patch; empty when there is nothing to do. Pure. */
export function verbosityPatch(kubevirt: unknown, asked: AskedLevels, reset: boolean): readonly unknown[] {
  const developer = at(kubevirt, 'spec', 'configuration', 'developerConfiguration');
  const before = plainOf(at(developer, 'logVerbosity'));
  const all = asked.get('all');
  const value: Record<string, unknown> = reset ? {} : { ...before };
  for (const [component, field] of Object.entries(COMPONENTS)) {
    const level = asked.get(component) ?? all;
    if (level !== undefined) value[field] = level;
  }
  if (reset && Object.keys(value).length === 0 && Object.keys(before).length === 0) return [];
  const parent = developer === undefined ? [{ op: 'add', path: DEVELOPER, value: {} }] : [];
  return [...parent, { op: 'add', path: `${DEVELOPER}/logVerbosity`, value }];
}
