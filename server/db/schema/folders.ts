/** A file of the send folder that was taken to be sent: one fax, however often it is found. */
export interface SentFileTable {
  /** Lowercase hex SHA-256 of what names the file: its name and all that is sent, or the key that its manifest gives. */
  id: string;
  /** The same of all that is sent. */
  fingerprint: string;
  /** The same of the name and the text of its manifest; null for none. */
  manifest: string | null;
  /** For whom it is sent. */
  principal_id: string;
  /** Null until the fax is certain to be accepted. */
  fax_id: string | null;
  /** ISO 8601 UTC. */
  taken_at: string;
}

/** Mark of the send folder, so that only one installation sends the documents in it. */
interface SendFolderTable {
  /** Always 1. */
  id: number;
  mark: string;
}

export interface FoldersTables {
  sent_file: SentFileTable;
  send_folder: SendFolderTable;
}
