// The rooms over the kernel use its locks and threads by `import LarderKernel`. Nothing in LarderThreads is public.
@_exported public import LarderThreads
