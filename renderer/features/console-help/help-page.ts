/** Text of a line of a help page. Everything else that Markdown can say is refused when the console is built. */
export type HelpInline =
  | string
  | { readonly kind: 'strong' | 'emphasis'; readonly of: readonly HelpInline[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'link';
      readonly page: string;
      /** Heading on that page; null for its beginning. */
      readonly part: string | null;
      readonly of: readonly HelpInline[];
    };

export type HelpBlock =
  | {
      readonly kind: 'heading';
      readonly level: 2 | 3 | 4;
      /** Unique on its page. */
      readonly id: string;
      readonly of: readonly HelpInline[];
    }
  | { readonly kind: 'paragraph'; readonly of: readonly HelpInline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly HelpBlock[])[] }
  | { readonly kind: 'table'; readonly head: HelpRow; readonly rows: readonly HelpRow[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly of: readonly HelpBlock[] }
  | { readonly kind: 'picture'; readonly name: string; readonly description: string };

export const HELP_GROUPS = ['begin', 'daily', 'sending', 'receiving', 'administration', 'programs'] as const;
type HelpGroup = (typeof HELP_GROUPS)[number];

type HelpRow = readonly (readonly HelpInline[])[];

export interface HelpPage {
  /** In the address. */
  readonly id: string;
  readonly group: HelpGroup;
  readonly title: string;
  readonly blocks: readonly HelpBlock[];
}

/** Returns a line of a help page as plain text. */
export function plainText(of: readonly HelpInline[]): string {
  return of
    .map((part) => (typeof part === 'string' ? part : part.kind === 'code' ? part.text : plainText(part.of)))
    .join('');
}
