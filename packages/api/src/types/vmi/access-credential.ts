import type { EmptyObject } from '../kubernetes/meta.ts';

/** A credential to bring into the guest; exactly one kind is set. */
export interface AccessCredential {
  /** SSH public keys. */
  readonly sshPublicKey?: SSHPublicKeyAccessCredential;
  /** Passwords of users. */
  readonly userPassword?: UserPasswordAccessCredential;
}

/** SSH public keys and how they reach the guest. */
export interface SSHPublicKeyAccessCredential {
  /** How the keys reach the guest. */
  readonly propagationMethod: SSHPublicKeyPropagationMethod;
  /** Where the keys are read from. */
  readonly source: AccessCredentialSource;
}

/** How SSH keys reach the guest; exactly one way is set. */
export interface SSHPublicKeyPropagationMethod {
  /** Through the cloud-init ConfigDrive volume, at start. */
  readonly configDrive?: EmptyObject;
  /** Through the cloud-init NoCloud volume, at start. */
  readonly noCloud?: EmptyObject;
  /** Through the guest agent, also while the guest runs. */
  readonly qemuGuestAgent?: QemuGuestAgentSSHUsers;
}

/** Users whose authorized keys the guest agent writes. */
export interface QemuGuestAgentSSHUsers {
  /**
   * Names of the users.
   * @listType set
   */
  readonly users: readonly string[];
}

/** Where a credential is read from. */
export interface AccessCredentialSource {
  /** A Secret of the same namespace. */
  readonly secret?: AccessCredentialSecret;
}

/** Names the Secret that holds a credential. */
export interface AccessCredentialSecret {
  /** Name of the Secret. */
  readonly secretName: string;
}

/** Passwords and how they reach the guest. */
export interface UserPasswordAccessCredential {
  /** How the passwords reach the guest. */
  readonly propagationMethod: UserPasswordPropagationMethod;
  /** Where the passwords are read from. */
  readonly source: AccessCredentialSource;
}

/** How passwords reach the guest. */
export interface UserPasswordPropagationMethod {
  /** Through the guest agent. */
  readonly qemuGuestAgent?: EmptyObject;
}
