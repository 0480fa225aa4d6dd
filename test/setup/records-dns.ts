import type { ResolveDns } from '../../server/adapters/mail/reading-port.ts';

/** Creates a resolver with these TXT records and no others. */
export function recordsDns(records: Readonly<Record<string, string>>): ResolveDns {
  return async (name, type) => {
    const found = type === 'TXT' ? records[name] : undefined;
    if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [[found]];
  };
}
