import type { JobDefinition } from '../../jobs/define-job.ts';
import { type Caller, mailboxResource } from '../access/service.ts';
import { noFile } from './errors.ts';
import { createWatchedFolder } from './folder/watched-folder.ts';
import { importDocument } from './import-document.ts';
import { describeManifest, readManifest } from './manifest.ts';
import type { ImportsParts } from './parts.ts';
import type { ImportFile, ImportOutcome } from './types.ts';

/** Documents that another system received and hands over. Refusals are ImportRefusalError. */
export interface ImportsService {
  readonly jobs: readonly JobDefinition<never>[];
  /** Imports a PDF with the text of its manifest; either may be missing, which is refused. */
  take(
    caller: Caller,
    given: { readonly file: ImportFile | undefined; readonly manifest: string | undefined },
  ): Promise<ImportOutcome>;
  /** Applies the present settings: the folder to watch. */
  plan(): Promise<void>;
  /** Warnings for an administrator, as sentences. */
  warnings(): Promise<readonly string[]>;
}

export function createImportsService(parts: ImportsParts): ImportsService {
  const folder = createWatchedFolder(parts);
  return {
    jobs: [folder.definition as unknown as JobDefinition<never>],
    async take(caller, { file, manifest }) {
      if (!file) throw noFile();
      const importer = {
        account: caller.principal.id,
        name: caller.principal.displayName,
        checkedBy: 'credential',
        describe: describeManifest,
        mayFileIn: (mailboxId: string | null) =>
          caller.holds('work:import') ||
          (mailboxId !== null && caller.holds('work:import', mailboxResource(mailboxId))),
      } as const;
      return importDocument(parts, { manifest: readManifest(parts, manifest), file, importer });
    },
    plan: () => folder.plan(),
    warnings: async () => folder.warnings(),
  };
}
