import { StatusError } from '@podvisor/base';

/** Reads an error body, which is a Status, or plain text from something in between. */
export function statusErrorOf(text: string, code: number): StatusError {
  try {
    return StatusError.fromBody(JSON.parse(text), code);
  } catch {
    // Not JSON: a proxy's or an aggregated server's plain text is the message then.
    return StatusError.fromBody(text.trim(), code);
  }
}
