/** A red dot of one pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound of no length. */
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (said: string) => ({ type: 'text', text: said }) as const;
export const picture = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
export const sound = { type: 'audio', data: WAV, mimeType: 'audio/wav' } as const;
export const embedded = (uri: string, mimeType: string, said: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: said } }) as const;
