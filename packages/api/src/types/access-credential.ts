import type { EmptyObject } from './meta.ts';

/** - */
export interface AccessCredential {
  /** - */
  readonly sshPublicKey?: SSHPublicKeyAccessCredential;
  /** - */
  readonly userPassword?: UserPasswordAccessCredential;
}

/** - */
export interface SSHPublicKeyAccessCredential {
  /** - */
  readonly propagationMethod: SSHPublicKeyPropagationMethod;
  /** - */
  readonly source: AccessCredentialSource;
}

/** - */
export interface SSHPublicKeyPropagationMethod {
  /** - */
  readonly configDrive?: EmptyObject;
  /** - */
  readonly noCloud?: EmptyObject;
  /** - */
  readonly qemuGuestAgent?: QemuGuestAgentSSHUsers;
}

/** - */
export interface QemuGuestAgentSSHUsers {
  /**
   * -
   * @listType set
   */
  readonly users: readonly string[];
}

/** - */
export interface AccessCredentialSource {
  /** - */
  readonly secret?: AccessCredentialSecret;
}

/** - */
export interface AccessCredentialSecret {
  /** - */
  readonly secretName: string;
}

/** - */
export interface UserPasswordAccessCredential {
  /** - */
  readonly propagationMethod: UserPasswordPropagationMethod;
  /** - */
  readonly source: AccessCredentialSource;
}

/** - */
export interface UserPasswordPropagationMethod {
  /** - */
  readonly qemuGuestAgent?: EmptyObject;
}
