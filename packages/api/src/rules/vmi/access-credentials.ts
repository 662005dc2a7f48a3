/** Keys and passwords that are brought into the guest. */
import type {
  AccessCredential,
  AccessCredentialSource,
  SSHPublicKeyAccessCredential,
  VMISpec,
} from '../../types/index.ts';
import { type Cause, invalid, type Rule, when } from '../rule.ts';

export const accessCredentialRules: readonly Rule<VMISpec>[] = [
  {
    id: 'accessCredentials',
    field: 'accessCredentials[]',
    summary:
      'A credential has one type, one source and one way into the guest; noCloud and configDrive need such a volume, the guest agent at least one user.',
    check: (spec, { path }) =>
      (spec.accessCredentials ?? []).flatMap((credential, index) =>
        checkCredential(credential, `${path}.accessCredentials[${index}]`, spec),
      ),
  },
];

function checkCredential(
  { sshPublicKey, userPassword }: AccessCredential,
  field: string,
  spec: VMISpec,
): Cause[] {
  const types = [sshPublicKey, userPassword].filter((type) => type !== undefined).length;
  return [
    ...(sshPublicKey ? checkKey(sshPublicKey, field, spec) : []),
    ...(userPassword
      ? [
          ...oneSource(userPassword.source, `${field}.userPassword.source`, field),
          ...oneMethod(
            [userPassword.propagationMethod.qemuGuestAgent],
            `${field}.userPassword.propagationMethod`,
            field,
          ),
        ]
      : []),
    ...when(types !== 1, () => invalid(field, `${field} must have exactly one access credential type set`)),
  ];
}

function checkKey(credential: SSHPublicKeyAccessCredential, field: string, spec: VMISpec): Cause[] {
  const { configDrive, noCloud, qemuGuestAgent } = credential.propagationMethod;
  const method = `${field}.sshPublicKey.propagationMethod`;
  return [
    ...when(noCloud && !spec.volumes?.some((volume) => volume.cloudInitNoCloud), () =>
      invalid(
        method,
        `${field} requires a noCloud volume to exist when the noCloud propagationMethod is in use.`,
      ),
    ),
    ...when(configDrive && !spec.volumes?.some((volume) => volume.cloudInitConfigDrive), () =>
      invalid(
        method,
        `${field} requires a configDrive volume to exist when the configDrive propagationMethod is in use.`,
      ),
    ),
    ...when(qemuGuestAgent && (qemuGuestAgent.users ?? []).length === 0, () =>
      invalid(
        `${method}.qemuGuestAgent.users`,
        `${field} requires at least one user to be present in the users list`,
      ),
    ),
    ...oneSource(credential.source, `${field}.sshPublicKey.source`, field),
    ...oneMethod([configDrive, noCloud, qemuGuestAgent], method, field),
  ];
}

function oneSource(source: AccessCredentialSource, field: string, credential: string): readonly Cause[] {
  return when(!source.secret, () => invalid(field, `${credential} must have exactly one source set`));
}

function oneMethod(methods: readonly unknown[], field: string, credential: string): readonly Cause[] {
  return when(methods.filter((method) => method !== undefined).length !== 1, () =>
    invalid(field, `${credential} must have exactly one propagationMethod set`),
  );
}
