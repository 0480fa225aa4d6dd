import { importsOf, type SourceFile } from '../../scripts/source-tree.ts';

/** Circles of imports, those of types among them: each as the files that reach one another, in the order of their names. */
export function importCycles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]));
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    lowest.set(file, index.size - 1);
    path.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!targets.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) cycles.push(circle.sort());
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
