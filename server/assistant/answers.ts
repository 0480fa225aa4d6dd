import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, UnexpectedAnswerError, UnreachableError } from '../../shared/client/index.ts';

/** Facts of an answer, with the sentence that an assistant can pass on to a person. */
interface Facts {
  readonly sentence: string;
  readonly [name: string]: unknown;
}

/** Builds the result of a tool: the sentence, the same facts as text for programs that read text alone, and as data. */
export function answerWith(facts: Facts, ...attachments: CallToolResult['content']): CallToolResult {
  return {
    content: [
      { type: 'text', text: facts.sentence },
      { type: 'text', text: JSON.stringify(facts) },
      ...attachments,
    ],
    structuredContent: { ...facts },
  };
}

/** Thrown by a tool that was not carried out; the message is a sentence for a person. */
export class ToolRefusedError extends Error {
  override name = 'ToolRefusedError';
}

/** Runs a tool. A refusal becomes a result with its sentence, so that an assistant can explain or correct it. */
export async function withRefusals<T>(work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): CallToolResult {
  if (error instanceof ToolRefusedError) return refused(error.message);
  if (error instanceof ApiError) {
    const wait = error.retryAfter === null ? '' : ` Try again in ${error.retryAfter} s.`;
    return {
      ...refused(`${error.detail}${wait}`),
      _meta: { 'faxdesk/code': error.code, 'faxdesk/requestId': error.requestId },
    };
  }
  if (error instanceof UnreachableError)
    return refused(
      'Faxdesk cannot be reached, or its answer was lost. Try again with the same arguments: nothing is done twice.',
    );
  if (error instanceof UnexpectedAnswerError)
    return refused('Faxdesk gave an answer of another release. Update the program that runs the assistant.');
  throw error;
}

const refused = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
