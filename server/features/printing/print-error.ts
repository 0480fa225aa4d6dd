import { STATUS } from '../../platform/ipp/codes.ts';

/** A request to the printer that is refused, with a sentence that computers show. */
export class PrintError extends Error {
  override name = 'PrintError';
  readonly status: number;

  constructor(status: keyof typeof STATUS, sentence: string) {
    super(sentence);
    this.status = STATUS[status];
  }
}
