import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { COVER_FIELDS, type CoverField } from '../../../shared/covers.ts';
import { type CoverPage, type CoverPreview, covers, coversChanged } from '../../api/covers.ts';
import { isRefused } from '../../api/sentence.ts';
import { t } from '../../texts/covers.ts';
import type { Logo } from './logo-file.ts';
import { sampleValues } from './sample-values.ts';

/** Input of a cover page that is drawn from its parts. */
export interface TypedCover {
  readonly name: string;
  readonly title: string;
  /** All fields in their order, also those that are not shown. */
  readonly order: readonly CoverField[];
  readonly shown: readonly CoverField[];
  readonly text: string;
  readonly notice: string;
  /** The stored one, none, or a new one. */
  readonly logo: 'kept' | null | Logo;
}

export function formValuesOf(cover: CoverPage | undefined, name: string): TypedCover {
  const shown = cover?.fields ?? COVER_FIELDS;
  return {
    name,
    title: cover?.title ?? t.covers.form.firstTitle,
    order: [...shown, ...COVER_FIELDS.filter((field) => !shown.includes(field))],
    shown,
    text: cover?.text ?? '',
    notice: cover?.notice ?? '',
    logo: cover?.has_logo ? 'kept' : null,
  };
}

const fieldsIn = ({ order, shown }: TypedCover) => order.filter((field) => shown.includes(field));

/** Returns the request for a picture of the page as it is typed, with sample values. */
export function previewOf(typed: TypedCover, stored: CoverPage | undefined): CoverPreview {
  const { title, text, notice, logo } = typed;
  const fields = fieldsIn(typed);
  return {
    design: {
      title: title.trim(),
      fields,
      text,
      notice,
      ...(logo === 'kept' && stored ? { logo_of: stored.id } : {}),
      ...(logo !== null && logo !== 'kept' ? { logo: logo.base64 } : {}),
    },
    cover_fields: sampleValues({ kind: 'page', fields, form_fields: [], text }),
    pages: 2,
  };
}

/** Saves what is typed as a new cover page, or as a change of one. */
export function useCoverSaving(cover: CoverPage | undefined, onDone: (saved: CoverPage) => void) {
  // Fields and logo are saved one after the other; after a failure between them the rest is saved by the next try.
  const read = useRef(cover?.version ?? 0);
  const [isLoading, setLoading] = useState(false);
  const saving = useMutation({
    mutationFn: async (typed: TypedCover) => {
      const { logo } = typed;
      const words = {
        name: typed.name.trim(),
        title: typed.title.trim(),
        text: typed.text,
        notice: typed.notice,
      };
      const fields = fieldsIn(typed);
      const files =
        logo !== null && logo !== 'kept' ? { file: [{ name: logo.name, content: logo.file }] } : {};
      if (!cover) return covers.createCover({ fields: { ...words, fields }, files });
      const params = { id: cover.id };
      const changed = await covers.changeCover({
        params,
        body: { ...words, fields, version: read.current, ...(logo === null ? { logo } : {}) },
      });
      read.current = changed.version;
      if (!files.file) return changed;
      return covers.replaceCoverFile({
        params,
        fields: { version: changed.version },
        files: { file: files.file },
      });
    },
    onSuccess: async (saved) => {
      await coversChanged();
      onDone(saved);
    },
  });
  return {
    save: (typed: TypedCover) => {
      if (!saving.isPending) saving.mutate(typed);
    },
    isPending: saving.isPending || isLoading,
    error: saving.error,
    isStale: isRefused(saving.error, 'stale'),
    /** Returns the cover page that the other person saved. */
    reload: async (): Promise<CoverPage | null> => {
      if (!cover) return null;
      setLoading(true);
      try {
        const now = await covers.getCover({ params: { id: cover.id } });
        read.current = now.version;
        saving.reset();
        return now;
      } finally {
        setLoading(false);
      }
    },
  };
}
