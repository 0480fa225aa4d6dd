/** One row: whose documents the storage has to hold. */
interface InstallationTable {
  /** Constant, so that there is only one row, whichever process writes first. */
  key: 'installation';
  id: string;
  /** Grows at each start and every hour; 0 until it stands in the storage as well. */
  generation: number;
  /** Mark that the storage had when this id was made; null once this one is written there. */
  replaces: string | null;
  /** Address of the bucket in which documents are; null while none are in one. */
  bucket: string | null;
}

export interface StorageTables {
  installation: InstallationTable;
}
