import type { z } from 'zod';
import type { Cover } from '../../../shared/api/covers.ts';
import type { CoverField } from '../../../shared/covers.ts';
import type { CoverSummaryRow } from './store.ts';
import type { Template } from './types.ts';

type CoverAnswer = z.infer<typeof Cover>;

/** A cover page as the contract shows it. */
export function presentTemplate(template: Template): CoverAnswer {
  const { id, name, title, fields, text, notice, logo, pdf, formFields, stored } = template;
  return {
    id,
    name,
    built_in: stored === null,
    kind: pdf === null ? 'page' : 'pdf',
    title,
    fields: [...fields],
    text,
    notice,
    has_logo: logo !== null,
    form_fields: [...formFields],
    version: stored?.version ?? 1,
    created_at: stored?.createdAt ?? null,
    updated_at: stored?.updatedAt ?? null,
  };
}

export function presentSummary(row: CoverSummaryRow): CoverAnswer {
  const { id, name, kind, title, text, notice, has_logo, version, created_at, updated_at } = row;
  return {
    id,
    name,
    kind,
    title,
    text,
    notice,
    has_logo,
    version,
    created_at,
    updated_at,
    built_in: false,
    fields: JSON.parse(row.fields) as CoverField[],
    form_fields: JSON.parse(row.form_fields) as string[],
  };
}
