/**
 * Packets as a hostile guest would send them: well-formed ones with bytes changed, cut, doubled, or pure
 * noise. Deterministic, so that a failure can be repeated from its seed.
 */

/** xorshift32: the same packets for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** An endless row of packets made from `templates`. */
export function* hostilePackets(templates: readonly Uint8Array[], seed: number): Generator<Uint8Array> {
  const random = randomOf(seed);
  for (;;) {
    const template = templates[random() % templates.length] ?? new Uint8Array();
    const kind = random() % 8;
    const length =
      kind === 0 ? random() % 1600 : kind === 1 ? random() % (template.length + 1) : template.length;
    const packet = new Uint8Array(length);
    packet.set(template.subarray(0, length));
    const changes = kind === 0 ? length : random() % 12;
    for (let i = 0; i < changes && length > 0; i += 1) packet[random() % length] = random();
    yield packet;
  }
}
