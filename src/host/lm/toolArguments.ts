/** Arguments as the model wrote them, as the object that VS Code wants; what isn't one is handed on under `raw`. */
export function parseArguments(text: string): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { raw: text };
  } catch {
    return { raw: text };
  }
}
