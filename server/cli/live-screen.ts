/** Output that may be a terminal. */
interface ScreenOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Lines that are drawn over one another in place of the lines before. */
export interface LiveScreen {
  /** Lines that fit. */
  readonly rows: number;
  draw(lines: readonly string[]): void;
  /** Shows again what was there before. */
  close(): void;
}

const ENTER = '\u001B[?1049h\u001B[?25l';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const CLEAR_LINE = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';
const DEFAULT_ROWS = 24;
const DEFAULT_COLUMNS = 80;

/** Opens the whole terminal for lines that are redrawn; null where the output is no terminal. */
export function openLiveScreen(output: ScreenOutput = process.stdout): LiveScreen | null {
  if (output.isTTY !== true) return null;
  output.write(ENTER);
  return {
    get rows() {
      return output.rows ?? DEFAULT_ROWS;
    },
    draw(lines) {
      const width = output.columns ?? DEFAULT_COLUMNS;
      const shown = lines
        .slice(0, output.rows ?? DEFAULT_ROWS)
        .map((line) => [...line].slice(0, width).join('') + CLEAR_LINE);
      output.write(`${HOME}${shown.join('\r\n')}${CLEAR_BELOW}`);
    },
    close: () => void output.write(LEAVE),
  };
}
