import { AmiError } from './error.ts';
import { type AmiMessage, readMessage } from './message.ts';

/** Limits for a peer: more is not the engine. */
const MAX_LINE_BYTES = 16 * 1024;
const MAX_LINES = 1_000;
const BANNER = /^Asterisk Call Manager\/\d/u;

/** Takes the bytes as they come: first the banner, then messages. */
interface AmiReader {
  /** Throws AmiError `protocol`; nothing can be read after that. */
  push(chunk: Buffer): AmiMessage[];
  /** True once the engine has sent its greeting. */
  readonly isGreeted: boolean;
}

export function createAmiReader(): AmiReader {
  let rest = Buffer.alloc(0);
  let isGreeted = false;
  let lines: string[] = [];

  function handleLine(line: string): AmiMessage | null {
    if (!isGreeted) {
      if (!BANNER.test(line)) throw protocolError('no banner');
      isGreeted = true;
      return null;
    }
    if (line !== '') {
      if (lines.length >= MAX_LINES) throw protocolError('a message without end');
      lines.push(line);
      return null;
    }
    const message = lines.length === 0 ? null : readMessage(lines);
    lines = [];
    return message;
  }

  return {
    get isGreeted() {
      return isGreeted;
    },
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const messages: AmiMessage[] = [];
      let from = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
        if (end - from > MAX_LINE_BYTES) throw protocolError('a line without end');
        const message = handleLine(bytes.toString('utf8', from, end).replace(/\r$/u, ''));
        if (message) messages.push(message);
        from = end + 1;
      }
      rest = Buffer.from(bytes.subarray(from));
      if (rest.length > MAX_LINE_BYTES) throw protocolError('a line without end');
      return messages;
    },
  };
}

function protocolError(detail: string): AmiError {
  return new AmiError('protocol', `not the manager interface: ${detail}`, { wrote: false });
}
