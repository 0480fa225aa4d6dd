/** Template of a cover page. The built-in ones are in the code. */
export interface CoverTable {
  id: string;
  name: string;
  /** Name in lower case, by which names are unique and sorted. */
  sort_name: string;
  kind: 'page' | 'pdf';
  title: string;
  /** JSON: names of the fields on the page, in order. */
  fields: string;
  text: string;
  notice: string;
  /** PNG in base64; null for none. */
  logo: string | null;
  /** PDF in base64; null for a page. */
  pdf: string | null;
  /** JSON: names of the form fields of the PDF. */
  form_fields: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface CoversTables {
  cover: CoverTable;
}
