/** Keys of distributions, which come from web servers (`podvisor run`). */
import { binaryKeyring, keyOf } from '../../../packages/virtctl/src/run/openpgp-key.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';

/** A key packet of version 4 with a body of six bytes, a user id, another key: in both formats of headers. */
const oldFormat = Uint8Array.of(0x99, 0, 6, 4, 0, 0, 0, 1, 1, 0xb4, 1, 0x61, 0x99, 0, 6, 4, 0, 0, 0, 2, 1);
const newFormat = Uint8Array.of(0xc6, 6, 4, 0, 0, 0, 1, 1, 0xcd, 1, 0x61);
const FINGERPRINT = '4056F97A92B17010E884B13B949013B2E6FA92AB';

export const target: FuzzTarget = {
  seeds: [
    oldFormat,
    newFormat,
    bytes(
      `-----BEGIN PGP PUBLIC KEY BLOCK-----\nComment: x\n\n${Buffer.from(oldFormat).toString('base64')}\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n`,
    ),
  ],
  words: [
    '-----BEGIN PGP PUBLIC KEY BLOCK-----\n',
    '-----END PGP PUBLIC KEY BLOCK-----',
    '\n\n',
    '=',
    Uint8Array.of(0x9b),
    Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0xc6, 0xff, 0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0xc6, 0xe0),
    Uint8Array.of(0xc6, 0xc0, 0),
  ],
  // It refuses nothing: what is no key gives no key.
  refuses: () => false,
  feed: (input) => {
    const keyring = binaryKeyring(input);
    expect(keyring.length <= input.length, 'armour only shrinks');
    const key = keyOf(keyring, FINGERPRINT);
    expect(key === undefined || key.length <= keyring.length, 'a key is a part of its keyring');
  },
};
