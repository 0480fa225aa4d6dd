import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.ts';

/** Request of an example, as its parts. */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Fields of a form; a file is `@` and its name. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Call of a route that was run in a test, with its answer. */
export interface ApiExample {
  readonly request: ExampleRequest;
  readonly status: number;
  /** JSON of the answer; null for a document. */
  readonly answer: unknown;
}

/** Served at `/docs/examples.json`. */
export const EXAMPLES_FILE = join(ROOT, 'resources/api-examples.json');

/** Returns the examples that the test recorded, by operation id. */
export const readExamples = (): Record<string, ApiExample> =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Record<string, ApiExample>;
