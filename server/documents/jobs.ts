import type { MediaType, OfficeType } from '../../shared/document-types.ts';
import type { FileEdits } from '../../shared/page-edits.ts';
import type { FileToRead, NewFileKey } from '../platform/file-cipher.ts';
import type { EncodedPaper } from './encoded-pages/page-layout.ts';
import type { AttachedFile } from './pdf/pdf-writer.ts';
import type { PreviewNote } from './preview-notes.ts';
import type { PrintRaster } from './print-raster/raster-pages.ts';
import type { RasterOptions } from './raster/fax-pages.ts';

/** Uploaded content: a file of its own, with its key where it is sealed, or the bytes of a small one. */
export type DocumentContent = { path: string; key?: Uint8Array } | { bytes: Uint8Array };

/** A file to be sent, as it was uploaded. Name and declared type are the sender's claims. */
export type DocumentSource = DocumentContent & {
  fileName: string;
  declaredType: string | null;
  /** SHA-256 of the content, lowercase hex, where it was made on the way in. */
  digest?: string;
  /** Type of the upload where this is the PDF that it was converted to. */
  convertedFrom?: OfficeType;
  /** Changes to its pages; left out or null where it is sent as it is. */
  edits?: FileEdits | null;
  /** Pictures, by the ID with which the changes name them; left out where they name none. */
  pictures?: Readonly<Record<string, Uint8Array>>;
};

/** A line of text that is printed on one page of a document. */
export interface PrintedLine {
  readonly text: string;
  readonly page: 'first' | 'last';
}

/** A document in the form in which it is kept and sent. */
export interface PreparedDocument {
  path: string;
  /** The file is the only upload, under another name, and so has its key. */
  isUpload: boolean;
  sha256: string;
  sizeBytes: number;
  pages: number;
  mediaType: 'application/pdf';
  /** Kind of the source; of several different ones `application/pdf`. */
  sourceMediaType: MediaType;
}

/** Facts of a PDF that was made of printed pages. */
export type PreparedPages = Pick<PreparedDocument, 'sha256' | 'sizeBytes' | 'pages'>;

/** One page as the far machine prints it. */
export interface PreviewPage {
  number: number;
  widthPx: 1728;
  heightLines: number;
  /** Bytes of the page as T.6 data, which decide the length of the call. */
  encodedBytes: number;
  /** Of a page with much grey: the bytes it has with greys cleaned, and without; null for others. */
  greyBytes: { clean: number; dithered: number } | null;
  pngPath: string;
  notes: PreviewNote[];
}

/** Kind and facts of a file, before it is checked page by page. */
export interface QuickCheck {
  mediaType: MediaType;
  pages: number;
}

export interface Preview {
  pages: PreviewPage[];
  /** Estimated length of the call. */
  seconds: number;
  notes: PreviewNote[];
}

/** Content of a page that lists something, on one page. */
export interface ListPageContent {
  title: string;
  result: string;
  rows: { label: string; value: string }[];
  footer: string;
}

/** A part of a transmission report below its facts: a table, or sentences. */
export interface ReportSection {
  title: string;
  /** `share` is the part of the width of the page; empty for sentences alone. */
  columns: { label: string; share: number }[];
  rows: string[][];
  sentences: string[];
}

/** Content of a transmission report, of as many pages as it needs. */
export interface ReportContent {
  paper: EncodedPaper;
  /** Office at the top, one text per line. */
  issuer: string[];
  title: string;
  result: string;
  /** Sentences below the result. */
  explanation: string[];
  facts: { label: string; value: string }[];
  /** The document whose first page is shown, null for none; the caption is shown in both cases. */
  picture: { pdfPath: FileToRead | null; caption: string };
  sections: ReportSection[];
  /** Texts at the bottom of each page, before its number. */
  footer: string[];
  /** Title that readers show; ASCII without parentheses. */
  name: string;
  attachments: AttachedFile[];
}

/** Content of a page that carries a code to the person who reads the fax. */
export interface CodePageContent {
  title: string;
  /** Sender, one text per line. */
  from: string[];
  purpose: string;
  /** As it is shown, in groups. */
  code: string;
  /** Sentence with the last day of the code. */
  lastDay: string;
  steps: { title: string; items: string[] };
  /** Advice for a reader who does not expect the page. */
  unexpected: { title: string; text: string };
}

/** A cover page that is drawn from its parts. */
export interface CoverPage {
  title: string;
  rows: readonly { label: string; value: string }[];
  /** Below the rows. */
  text: string;
  /** In a box at the foot of the page. */
  notice: string;
  /** PNG; null for none. */
  logo: Uint8Array | null;
}

/** A cover page: drawn from its parts, or a PDF of one page whose form fields get these values. */
export type CoverContent =
  | ({ kind: 'page' } & CoverPage)
  | { kind: 'pdf'; file: Uint8Array; values: Readonly<Record<string, string>> };

/** The documents of a case that become one fax. */
export interface PacketTask {
  caseId: string;
  /** Texts on the index below its title. */
  heading: readonly string[];
  /** Documents in their order; with a `note` one is only named in the index, otherwise its PDF is the next of the sources. */
  entries: readonly { title: string; note: string | null }[];
  sources: DocumentSource[];
  outputPath: string;
  maxBytes: number;
  durable: boolean;
  /** Seals the written file; null writes it as it is. */
  seal: NewFileKey | null;
}

/** Facts of a composed packet. */
export interface PacketResult {
  path: string;
  sha256: string;
  sizeBytes: number;
  pages: number;
  /** Number of own pages of each document and the number of the first of them; null for one that is only named. */
  documents: ({ pages: number; firstPage: number } | null)[];
}

/** A document that is to travel in encoded pages. */
export interface DocumentToEncode {
  documentPath: FileToRead;
  /** Name and type that the other side gives it. The name stands in plain words on the pages of one that is not encrypted. */
  name: string;
  mediaType: string;
  /** Shared key as it was agreed on, of any length; null for pages that everybody can read. */
  key: string | null;
  paper: EncodedPaper;
}

/** Pages of an encoded document. */
export interface EncodedEstimate {
  /** Data and parity pages. */
  pages: number;
  dataPages: number;
  /** Any so many pages may be lost. */
  parityPages: number;
  /** Bytes that the data pages carry: the document compressed, its name, and what encryption adds. */
  sealedBytes: number;
}

/** A document that came in encoded pages, byte for byte. */
export interface DecodedDocument {
  path: string;
  /** Chosen by the sender; without folders and control characters. */
  name: string;
  /** Declared type, where it is one of ours and the content has it; otherwise `application/octet-stream`. */
  mediaType: string;
  sha256: string;
  sizeBytes: number;
}

/** Facts of a message in encoded pages. */
interface EncodedMessage {
  /** 32 hex digits. */
  messageId: string;
  isEncrypted: boolean;
  /** Numbers of the encoded pages that were read, from 1. */
  encodedPages: number[];
}

/** Result of looking for encoded pages. In every state the fax itself stays as it is. */
export type DecodedPages =
  | { state: 'none' }
  /** `keyIndex` is the key that opened it; null for one that was not encrypted. */
  | ({ state: 'decoded'; document: DecodedDocument; keyIndex: number | null } & EncodedMessage)
  /** Too many pages are missing: any `need` different ones are enough. */
  | ({ state: 'incomplete'; have: number; need: number } & EncodedMessage)
  | ({ state: 'key_missing' | 'key_wrong_or_altered' | 'fingerprint_mismatch' } & EncodedMessage);

/** A sheet of paper of a printer, by its name (PWG 5101.1). Lengths are in hundredths of a millimeter. */
export interface PrinterSheet {
  name: string;
  width: number;
  height: number;
}

/** Pages of pixels as a printer takes them. */
export interface PrinterRaster {
  perInch: number;
  tones: 'grey' | 'black bits';
  /** Sheets of which one is chosen; never empty. */
  sheets: readonly PrinterSheet[];
  /** Edges that the printer cannot print, in hundredths of a millimeter. */
  margins: { left: number; right: number; top: number; bottom: number };
}

/** Timeouts of a job, in ms. */
export interface TimeAllowance {
  /** From the start of the work to its first page. */
  startMs: number;
  /** From one page to the next; null when pages only add to the whole. */
  betweenPagesMs: number | null;
  /** Added to `startMs` for every finished page when `betweenPagesMs` is null: honest long documents need it. */
  perPageMs: number;
  /** Altogether, whatever the pages add. */
  maxMs: number;
}

/** Task and result of each job of the worker. */
export interface DocumentJobs {
  prepare: {
    task: {
      sources: DocumentSource[];
      outputPath: string;
      maxBytes: number;
      durable: boolean;
      cleanGreys: boolean;
      /** Only the pages from this one on; 1 for all. */
      fromPage: number;
      /** Of a TIFF only the first page, which is there long before the others. */
      onlyFirst: boolean;
      /** Printed on the first or last page; null for none. */
      line: PrintedLine | null;
      /** Seals the written file; null writes it as it is. */
      seal: NewFileKey | null;
    };
    result: PreparedDocument;
  };
  preparePrinted: {
    task: {
      raster: DocumentContent;
      format: PrintRaster;
      outputPath: string;
      maxBytes: number;
      durable: boolean;
      /** Seals the written file; null writes it as it is. */
      seal: NewFileKey | null;
    };
    result: PreparedPages;
  };
  quickCheck: { task: { sources: DocumentSource[] }; result: QuickCheck[] };
  /** Returns the type of an upload and writes it as it is where it is a document of a word processor. */
  officeFile: { task: { source: DocumentSource; outputPath: string }; result: MediaType };
  preview: {
    task: {
      pdfPath: FileToRead;
      outputDirectory: string;
      options: RasterOptions;
      /** Seals the pictures; null writes them as they are. */
      seal: NewFileKey | null;
      /** Number of the first page. */
      from: number;
      /** Stops after the page that ends later than this many milliseconds after the start; null draws all. */
      maxMs: number | null;
    };
    result: Preview;
  };
  rasterToTiff: {
    task: {
      pdfPath: FileToRead;
      outputPath: string;
      options: RasterOptions & { resolution: 'fine' | 'standard' };
    };
    result: { pages: number };
  };
  inspectPdf: { task: DocumentContent; result: { pages: number } };
  pagePictures: {
    task: { pdfPath: FileToRead; pages: readonly number[]; widthPx: number };
    /** Null for a page after the first that cannot be drawn. */
    result: (Uint8Array | null)[];
  };
  printRaster: {
    task: { pdfPath: FileToRead; printer: PrinterRaster; fromPage: number };
    /** Pages in a row, the name of the sheet that all have, and the first page that is not among them; null after the last one. */
    result: { part: Uint8Array; sheet: string; nextPage: number | null };
  };
  transmissionReport: { task: ReportContent; result: Uint8Array };
  listPage: { task: ListPageContent; result: Uint8Array };
  codePage: { task: CodePageContent; result: Uint8Array };
  /** As a PDF, or as a PNG of what the receiving machine prints. */
  cover: { task: { content: CoverContent; output: 'pdf' | 'png' }; result: Uint8Array };
  /** An uploaded part of a template, as it is kept. */
  coverFile: {
    task: { kind: 'logo' | 'pdf'; file: Uint8Array };
    result: { file: Uint8Array; formFields: string[] };
  };
  /** An uploaded signature or stamp, as it is kept. */
  signature: {
    task: { file: Uint8Array };
    result: { picture: Uint8Array; width: number; height: number };
  };
  packet: { task: PacketTask; result: PacketResult };
  encodePages: {
    task: DocumentToEncode & {
      outputPath: string;
      messageId: string;
      words: { sender: string };
      cap: number;
      seal: NewFileKey | null;
    };
    result: EncodedEstimate;
  };
  estimateEncoded: { task: DocumentToEncode; result: EncodedEstimate };
  decodePages: {
    task: {
      pdfPath: FileToRead;
      outputPath: string;
      keys: readonly string[];
      maxBytes: number;
      seal: NewFileKey | null;
    };
    result: DecodedPages;
  };
}

export type JobName = keyof DocumentJobs;
