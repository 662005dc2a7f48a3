/**
 * TLS 1.3 on a descriptor, by the OpenSSL that is part of Node, called directly: whole buffers go in and come out,
 * where Node's own streams wake JavaScript for every 16 KiB. For one thread that moves much data; the descriptor must
 * not block.
 */
import { createRequire } from 'node:module';

type Koffi = typeof import('koffi');
/** An object of OpenSSL. */
type Handle = object | null;

const PROTOTYPES = {
  TLS_method: 'void *TLS_method()',
  SSL_CTX_new: 'void *SSL_CTX_new(void *)',
  SSL_CTX_free: 'void SSL_CTX_free(void *)',
  SSL_CTX_ctrl: 'long SSL_CTX_ctrl(void *, int, long, void *)',
  SSL_CTX_set_ciphersuites: 'int SSL_CTX_set_ciphersuites(void *, const char *)',
  SSL_CTX_set_default_read_buffer_len: 'void SSL_CTX_set_default_read_buffer_len(void *, size_t)',
  SSL_CTX_set_num_tickets: 'int SSL_CTX_set_num_tickets(void *, size_t)',
  SSL_CTX_set_verify: 'void SSL_CTX_set_verify(void *, int, void *)',
  SSL_CTX_get_cert_store: 'void *SSL_CTX_get_cert_store(void *)',
  SSL_CTX_use_certificate: 'int SSL_CTX_use_certificate(void *, void *)',
  SSL_CTX_use_PrivateKey: 'int SSL_CTX_use_PrivateKey(void *, void *)',
  SSL_CTX_set_alpn_protos: 'int SSL_CTX_set_alpn_protos(void *, const uint8_t *, uint)',
  SSL_CTX_set_alpn_select_cb: 'void SSL_CTX_set_alpn_select_cb(void *, podvisor_alpn *, void *)',
  SSL_select_next_proto: 'int SSL_select_next_proto(void *, void *, const uint8_t *, uint, void *, uint)',
  X509_STORE_add_cert: 'int X509_STORE_add_cert(void *, void *)',
  X509_free: 'void X509_free(void *)',
  X509_get_subject_name: 'void *X509_get_subject_name(void *)',
  X509_NAME_get_text_by_NID: 'int X509_NAME_get_text_by_NID(void *, int, uint8_t *, int)',
  EVP_PKEY_free: 'void EVP_PKEY_free(void *)',
  BIO_new_mem_buf: 'void *BIO_new_mem_buf(const uint8_t *, int)',
  BIO_free: 'int BIO_free(void *)',
  PEM_read_bio_X509: 'void *PEM_read_bio_X509(void *, void *, void *, void *)',
  PEM_read_bio_PrivateKey: 'void *PEM_read_bio_PrivateKey(void *, void *, void *, void *)',
  SSL_new: 'void *SSL_new(void *)',
  SSL_free: 'void SSL_free(void *)',
  SSL_set_fd: 'int SSL_set_fd(void *, int)',
  SSL_set_accept_state: 'void SSL_set_accept_state(void *)',
  SSL_set_connect_state: 'void SSL_set_connect_state(void *)',
  SSL_do_handshake: 'int SSL_do_handshake(void *)',
  SSL_read: 'int SSL_read(void *, uint8_t *, int)',
  SSL_write: 'int SSL_write(void *, const uint8_t *, int)',
  SSL_shutdown: 'int SSL_shutdown(void *)',
  SSL_get_error: 'int SSL_get_error(void *, int)',
  SSL_get1_peer_certificate: 'void *SSL_get1_peer_certificate(void *)',
  SSL_get0_alpn_selected: 'void SSL_get0_alpn_selected(void *, _Out_ void **, _Out_ uint *)',
  ERR_clear_error: 'void ERR_clear_error()',
  ERR_get_error: 'unsigned long ERR_get_error()',
  ERR_error_string_n: 'void ERR_error_string_n(unsigned long, uint8_t *, size_t)',
} as const;
type Name = keyof typeof PROTOTYPES;

interface Loaded {
  readonly koffi: Koffi;
  readonly functions: ReadonlyMap<string, (...args: readonly unknown[]) => unknown>;
}
let loaded: Loaded | undefined;

function library(): Loaded {
  if (loaded !== undefined) return loaded;
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  const self = koffi.load(null); // this very program: Node has OpenSSL inside and lets others call it
  koffi.proto('int podvisor_alpn(void *, void *, void *, void *, uint, void *)');
  const functions = new Map(
    Object.entries(PROTOTYPES).map(([name, prototype]) => [name, self.func(prototype)] as const),
  );
  loaded = { koffi, functions };
  return loaded;
}

function call(name: Name, ...args: readonly unknown[]): unknown {
  return library().functions.get(name)?.(...args);
}

const number = (name: Name, ...args: readonly unknown[]): number => Number(call(name, ...args));
const handle = (name: Name, ...args: readonly unknown[]): Handle => call(name, ...args) as Handle;

/** openssl/ssl.h, openssl/tls1.h, openssl/obj_mac.h. */
const CTRL_MODE = 33;
const CTRL_READ_AHEAD = 41;
const CTRL_MIN_VERSION = 123;
const TLS_1_3 = 0x0304;
const MODE_PARTIAL_WRITE = 1;
const MODE_MOVING_BUFFER = 2;
const VERIFY_PEER_OR_FAIL = 3;
const ALPN_OK = 0;
const ALPN_FATAL = 2;
const NEGOTIATED = 1;
const COMMON_NAME = 13;
const ORGANIZATIONAL_UNIT = 18;
const ERROR_WANT_READ = 2;
const ERROR_WANT_WRITE = 3;
const ERROR_ZERO_RETURN = 6;
/** What is read from the network at once. */
const READ_AHEAD_BYTES = 256 * 1024;

export interface TlsIdentity {
  readonly role: 'client' | 'server';
  /** PEM. */
  readonly cert: Uint8Array;
  readonly key: Uint8Array;
  /** PEM of the only CA that peers may come from; both sides must show a certificate. */
  readonly ca: Uint8Array;
  /** Suites of TLS 1.3, in order of preference. */
  readonly ciphers: string;
  /** The one application protocol (ALPN). A server refuses peers that do not name it. */
  readonly protocol: string;
}

/** The connection needs the network for this before it can go on. */
export type Wants = 'read' | 'write';
export type TlsRead = { readonly bytes: number } | Wants | 'end' | 'broken';
export type TlsWrite = { readonly bytes: number } | Wants | 'broken';

/** Certificates and rules, for any number of sessions. */
export class TlsContext implements Disposable {
  readonly #role: TlsIdentity['role'];
  readonly #context: Handle;
  readonly #protocols: Uint8Array;
  readonly #callback: unknown;

  constructor({ role, cert, key, ca, ciphers, protocol }: TlsIdentity) {
    const name = Buffer.from(protocol, 'latin1');
    this.#role = role;
    this.#protocols = Buffer.concat([Buffer.from([name.length]), name]);
    this.#context = handle('SSL_CTX_new', handle('TLS_method'));
    number('SSL_CTX_ctrl', this.#context, CTRL_MIN_VERSION, TLS_1_3, null);
    number('SSL_CTX_ctrl', this.#context, CTRL_MODE, MODE_PARTIAL_WRITE | MODE_MOVING_BUFFER, null);
    number('SSL_CTX_ctrl', this.#context, CTRL_READ_AHEAD, 1, null);
    call('SSL_CTX_set_default_read_buffer_len', this.#context, READ_AHEAD_BYTES);
    number('SSL_CTX_set_num_tickets', this.#context, 0); // nobody comes twice
    need(number('SSL_CTX_set_ciphersuites', this.#context, ciphers), 'set the ciphers');
    call('SSL_CTX_set_verify', this.#context, VERIFY_PEER_OR_FAIL, null);
    withPem('PEM_read_bio_X509', 'X509_free', ca, (certificate) =>
      number('X509_STORE_add_cert', handle('SSL_CTX_get_cert_store', this.#context), certificate),
    );
    withPem('PEM_read_bio_X509', 'X509_free', cert, (certificate) =>
      number('SSL_CTX_use_certificate', this.#context, certificate),
    );
    withPem('PEM_read_bio_PrivateKey', 'EVP_PKEY_free', key, (secret) =>
      number('SSL_CTX_use_PrivateKey', this.#context, secret),
    );
    this.#callback = role === 'client' ? this.#offer() : this.#demand();
  }

  /** A session on a connected descriptor, which stays the caller's. */
  session(fd: number): TlsSession {
    return new TlsSession(this.#context, this.#role, fd);
  }

  [Symbol.dispose](): void {
    call('SSL_CTX_free', this.#context);
    const { koffi } = library();
    if (this.#callback !== undefined) koffi.unregister(this.#callback as Parameters<Koffi['unregister']>[0]);
  }

  #offer(): undefined {
    // The one function of the family that answers 0 when all is well.
    if (number('SSL_CTX_set_alpn_protos', this.#context, this.#protocols, this.#protocols.length) !== 0)
      throw failure('name the protocol');
  }

  #demand(): unknown {
    const { koffi } = library();
    const ours = this.#protocols;
    const select = (_ssl: unknown, out: unknown, size: unknown, theirs: unknown, length: number): number =>
      number('SSL_select_next_proto', out, size, ours, ours.length, theirs, length) === NEGOTIATED
        ? ALPN_OK
        : ALPN_FATAL;
    const callback = koffi.register(select, koffi.pointer('podvisor_alpn'));
    call('SSL_CTX_set_alpn_select_cb', this.#context, callback, null);
    return callback;
  }
}

export class TlsSession implements Disposable {
  #ssl: Handle;

  constructor(context: Handle, role: TlsIdentity['role'], fd: number) {
    this.#ssl = handle('SSL_new', context);
    need(number('SSL_set_fd', this.#ssl, fd), 'take the connection');
    call(role === 'server' ? 'SSL_set_accept_state' : 'SSL_set_connect_state', this.#ssl);
  }

  /** Goes on with the handshake. Throws when the peer is refused, or refuses us. */
  handshake(): Wants | 'done' {
    call('ERR_clear_error');
    const result = number('SSL_do_handshake', this.#ssl);
    if (result === 1) return 'done';
    const state = this.#state(result);
    if (state === 'read' || state === 'write') return state;
    throw failure('agree with the peer');
  }

  /** Common name and first organizational unit of the peer's certificate, which the CA has signed. */
  get peer(): { readonly name: string; readonly unit: string } {
    const certificate = handle('SSL_get1_peer_certificate', this.#ssl);
    if (certificate === null) return { name: '', unit: '' };
    const subject = handle('X509_get_subject_name', certificate);
    const text = (attribute: number): string => {
      const bytes = new Uint8Array(256);
      const length = number('X509_NAME_get_text_by_NID', subject, attribute, bytes, bytes.length);
      return length <= 0 ? '' : Buffer.from(bytes.subarray(0, length)).toString('utf8');
    };
    const peer = { name: text(COMMON_NAME), unit: text(ORGANIZATIONAL_UNIT) };
    call('X509_free', certificate);
    return peer;
  }

  /** Whether both sides agreed on the protocol of the context. */
  get hasProtocol(): boolean {
    const length = [0];
    call('SSL_get0_alpn_selected', this.#ssl, [null], length);
    return (length[0] ?? 0) > 0;
  }

  read(buffer: Uint8Array): TlsRead {
    call('ERR_clear_error');
    const result = number('SSL_read', this.#ssl, buffer, buffer.length);
    return result > 0 ? { bytes: result } : this.#state(result);
  }

  write(bytes: Uint8Array): TlsWrite {
    call('ERR_clear_error');
    const result = number('SSL_write', this.#ssl, bytes, bytes.length);
    if (result > 0) return { bytes: result };
    const state = this.#state(result);
    return state === 'end' ? 'broken' : state;
  }

  /** We send no more; the peer may still. */
  end(): Wants | 'done' | 'broken' {
    call('ERR_clear_error');
    const result = number('SSL_shutdown', this.#ssl);
    if (result >= 0) return 'done';
    const state = this.#state(result);
    return state === 'end' ? 'done' : state;
  }

  [Symbol.dispose](): void {
    if (this.#ssl !== null) call('SSL_free', this.#ssl);
    this.#ssl = null;
  }

  #state(result: number): Wants | 'end' | 'broken' {
    switch (number('SSL_get_error', this.#ssl, result)) {
      case ERROR_WANT_READ:
        return 'read';
      case ERROR_WANT_WRITE:
        return 'write';
      case ERROR_ZERO_RETURN:
        return 'end';
      default:
        return 'broken';
    }
  }
}

function withPem(read: Name, free: Name, pem: Uint8Array, use: (object: Handle) => number): void {
  const bio = handle('BIO_new_mem_buf', pem, pem.length);
  const object = handle(read, bio, null, null, null);
  call('BIO_free', bio);
  if (object === null) throw failure('read a certificate or key');
  const result = use(object); // which takes a reference of its own
  call(free, object);
  need(result, 'use a certificate or key');
}

function need(result: number, what: string): void {
  if (result !== 1) throw failure(what);
}

function failure(what: string): Error {
  const code = call('ERR_get_error');
  const text = new Uint8Array(256);
  call('ERR_error_string_n', code, text, text.length);
  const reason =
    Number(code) === 0 ? 'the connection broke' : Buffer.from(text).toString('latin1').split('\0')[0];
  return new Error(`TLS could not ${what}: ${reason}`);
}
