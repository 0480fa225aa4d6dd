/** One row: whose documents the storage has to hold. */
export interface InstallationTable {
  /** Always the same word, so that there is one row whoever writes it first. */
  key: 'installation';
  id: string;
  /** Grows at each start and every hour; 0 until it stands in the storage as well. */
  generation: number;
  /** What stood in the storage when this id was made, until it is written there. */
  replaces: string | null;
}

export interface StorageTables {
  installation: InstallationTable;
}
