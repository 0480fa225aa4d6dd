/** Made of `docs/` by `scripts/console-help.ts` when the console is built. */
declare module 'virtual:help-pages' {
  /** As `HelpPage` describes them. */
  export const pages: unknown;
  /** Addresses of pictures by the names in the pages. */
  export const pictures: Readonly<Record<string, string>>;
}
