import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Of the change, by its arguments: the path that is made or replaced. */
const CHANGES = {
  promises: { open: 0, writeFile: 0, rename: 1 },
  direct: { openSync: 0, linkSync: 1, renameSync: 1 },
} as const;

type Call = (...args: unknown[]) => unknown;

/**
 * In this process every new file below the folder fails with the code, as its disk or the rights of an account would have it,
 * until the answer is called.
 */
export function failWrites(folder: string, code: string): () => void {
  const undo = [
    ...replace(fs.promises as never, CHANGES.promises, async (error) => {
      throw error;
    }),
    ...replace(fs as never, CHANGES.direct, (error) => {
      throw error;
    }),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };

  function replace(
    module: Record<string, Call>,
    changes: Readonly<Record<string, number>>,
    fail: (error: Error) => unknown,
  ): (() => void)[] {
    return Object.entries(changes).map(([name, place]) => {
      const real = module[name] as Call;
      module[name] = (...args) => {
        const isReading = name.startsWith('open') && (args[1] === undefined || args[1] === 'r');
        if (isReading || !String(args[place]).startsWith(`${folder}/`)) return real(...args);
        return fail(Object.assign(new Error(`${code}: ${name}`), { code, syscall: name }));
      };
      return () => {
        module[name] = real;
      };
    });
  }
}
