/** First-boot data that cannot work, found by reading it as cloud-init would. Pure. */
import { messageOf } from '@podvisor/base';
import { fromYaml } from '../output/yaml.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';
import type { Evidence } from './observed.ts';

/** Beginnings of user data that cloud-init knows. */
const HEADERS = [
  '#cloud-config',
  '#!',
  '#include',
  '#cloud-boothook',
  '#part-handler',
  '#cloud-config-archive',
  '## template: jinja',
  'Content-Type:',
  'MIME-Version:',
];

/** Problems of the inline user data of a VM or VMI. What is in secrets is not looked at. */
export function cloudInitProblems(object: unknown): readonly Evidence[] {
  const spec = at(object, 'spec', 'template', 'spec') ?? at(object, 'spec');
  const kind = at(object, 'kind') === 'VirtualMachine' ? 'VM' : 'VMI';
  const name = textOf(at(object, 'metadata', 'name')) ?? '';
  return listOf(at(spec, 'volumes')).flatMap((volume) => {
    const source = plainOf(at(volume, 'cloudInitNoCloud') ?? at(volume, 'cloudInitConfigDrive'));
    const encoded = textOf(source['userDataBase64']);
    const text =
      textOf(source['userData']) ??
      (encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8'));
    const problem = text === undefined ? undefined : problemOf(text);
    if (problem === undefined) return [];
    const message = `user data of volume ${textOf(at(volume, 'name'))}: ${problem}`;
    return [{ source: 'vmi' as const, object: `${kind} ${name}`, reason: 'BadCloudInit', message }];
  });
}

function problemOf(text: string): string | undefined {
  if (!HEADERS.some((header) => text.startsWith(header)))
    return 'it begins with none of the headers that cloud-init knows, so cloud-init ignores it';
  if (!/^#cloud-config\s*$/m.test(text.split('\n')[0] ?? '')) return undefined;
  try {
    const content = fromYaml(text);
    return content === undefined ||
      content === null ||
      (typeof content === 'object' && !Array.isArray(content))
      ? undefined
      : 'it is not a map of settings';
  } catch (error) {
    return `it is not YAML: ${messageOf(error).split('\n')[0]}`;
  }
}
