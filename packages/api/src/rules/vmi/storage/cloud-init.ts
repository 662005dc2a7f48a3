/** Cloud-init data: one source each for user and network data, small enough to live in the object. */
import type { CloudInitSource, VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, when } from '../../rule.ts';
import { eachVolume } from './volumes.ts';

/** Larger data would go to every watcher with each change of the object. */
const MAX_BYTES = 2048;

interface Data {
  readonly name: 'userData' | 'networkData';
  readonly text: string | undefined;
  readonly base64: string | undefined;
  readonly secret: string | undefined;
}

export const cloudInitRules: readonly Rule<VMISpec>[] = [
  {
    id: 'volumes.cloudInit',
    field: 'volumes[].cloudInitNoCloud, volumes[].cloudInitConfigDrive',
    summary:
      'Cloud-init has user or network data; each as text, base64 or secret, not several; inline data up to 2048 bytes.',
    check: eachVolume(({ cloudInitConfigDrive, cloudInitNoCloud }, field) => {
      if (cloudInitNoCloud) return checkSource(cloudInitNoCloud, field, 'cloudInitNoCloud');
      return cloudInitConfigDrive ? checkSource(cloudInitConfigDrive, field, 'cloudInitConfigDrive') : [];
    }),
  },
];

function checkSource(source: CloudInitSource, volume: string, type: string): readonly Cause[] {
  const field = `${volume}.${type}`;
  const user: Data = {
    name: 'userData',
    text: source.userData,
    base64: source.userDataBase64,
    secret: source.secretRef?.name,
  };
  const network: Data = {
    name: 'networkData',
    text: source.networkData,
    base64: source.networkDataBase64,
    secret: source.networkDataSecretRef?.name,
  };
  return [
    ...checkData(user, field, type, 'userdatasource'),
    ...checkData(network, field, type, 'networkdata source'),
    ...when(sourceCount(user) + sourceCount(network) === 0, () =>
      invalid(field, `${field} must have at least one userdatasource or one networkdatasource set.`),
    ),
  ];
}

function checkData(data: Data, field: string, type: string, noun: string): readonly Cause[] {
  const decoded = data.base64 ? decodedLength(data.base64) : 0;
  const bytes = data.text ? new TextEncoder().encode(data.text).length : (decoded ?? 0);
  const own = `${field}.${data.name}Base64`;
  const limit = data.name === 'userData' ? 'UserDataSecretRef' : 'NetworkDataSecretRef';
  return [
    ...when(decoded === undefined, () =>
      // The doubled name is what clients have always seen.
      invalid(own, `${own}.${type}.${data.name}Base64 is not a valid base64 value.`),
    ),
    ...when(sourceCount(data) > 1, () => invalid(field, `${field} must have only one ${noun} set.`)),
    ...when(bytes > MAX_BYTES, () =>
      invalid(
        field,
        `${field} ${data.name.toLowerCase()} exceeds ${MAX_BYTES} byte limit. Should use ${limit} for larger data.`,
      ),
    ),
  ];
}

function sourceCount({ base64, secret, text }: Data): number {
  return [base64, secret, text].filter((source) => source).length;
}

/** Bytes of standard base64 with padding, or undefined when it is none. Line breaks are ignored. */
function decodedLength(text: string): number | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  return (compact.length / 4) * 3 - padding;
}
