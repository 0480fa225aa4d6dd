import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

/** Button that opens the file chooser of the system and passes on the files that were chosen, one unless `isMultiple`. */
export function FileButton({
  accept,
  isMultiple = false,
  fieldLabel,
  onFiles,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onPress'> & {
  /** Types as the `accept` of a file field has them; left out for any file. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** Name of the hidden field, by which assistive technology and tests find it. */
  readonly fieldLabel: string;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        {...(accept === undefined ? {} : { accept })}
        aria-label={fieldLabel}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file may be chosen again after it was changed.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button {...button} onPress={() => input.current?.click()} />
    </>
  );
}
