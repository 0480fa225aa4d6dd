import { formatDuration } from '../../ui/format.ts';

/** So long faxes may wait for each other; other times come from programs and files. */
export const TOGETHER_CHOICES = [0, 5, 15, 30, 60, 240, 1440] as const;

/** `15 min`, `4 hr`. */
export const minutesWord = (minutes: number): string => formatDuration(minutes * 60);
