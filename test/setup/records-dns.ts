import type { ResolveDns } from '../../server/adapters/mail/reading-port.ts';

/** A DNS that knows these TXT records and nothing else. */
export function recordsDns(records: Readonly<Record<string, string>>): ResolveDns {
  return async (name, type) => {
    const found = type === 'TXT' ? records[name] : undefined;
    if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [[found]];
  };
}
