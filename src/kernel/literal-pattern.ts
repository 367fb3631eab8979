/** The source of a pattern that finds a text and nothing else, whatever stands in it. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
