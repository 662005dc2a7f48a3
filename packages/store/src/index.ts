/** Values by key with revisions, durable, and the events that changed them. It knows nothing about objects. */
export { keepReserve, STORE_RESERVE_BYTES } from './keep-reserve.ts';
export { LogFull, SqliteLog } from './sqlite-log.ts';
export { Store, type StoreLimits } from './store.ts';
export { type Codec, keyOf, type Stored, type StoreEvent } from './types.ts';
export { type EncryptionKey, type EncryptionRule, SealedValueError, valueCipher } from './value-cipher.ts';
