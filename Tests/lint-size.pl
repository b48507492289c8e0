#!/usr/bin/perl
# Keeps the rooms small: the lines of each target, and of each file, have a budget. Fails where one is exceeded.
#
#   Tests/lint-size.pl              checks
#   Tests/lint-size.pl --count      prints the lines of each room beside its budget
#
# A budget may be raised for a reason that the commit gives. It is lowered when a room becomes smaller.

use strict;
use warnings;

my $file_budget = 420;

my %budgets = (
    'Sources/LarderAggregates' => 1_348,
    'Sources/LarderBlocks' => 316,
    'Sources/LarderCalculations' => 636,
    'Sources/LarderDiagnostics' => 481,
    'Sources/LarderHooks' => 920,
    'Sources/LarderKernel' => 21_899,
    'Sources/LarderPages' => 396,
    'Sources/LarderValues' => 809,
    'Sources/LarderForeignNames' => 253,
    'Sources/LarderNames' => 446,
    'Sources/LarderChildren' => 3_869,
    'Sources/LarderImport' => 2_921,
    'Sources/LarderObservation' => 3_691,
    'Sources/LarderPattern' => 1_138,
    'Sources/LarderPredicate' => 1_597,
    'Sources/LarderVersions' => 6_252,
    'Sources/LarderUnions' => 1_344,
    'Sources/LarderText' => 2_741,
    'Sources/LarderThreads' => 1_213,
    'Sources/LarderRecords' => 1_655,
    'Sources/LarderTransfer' => 3_561,
    'Sources/LarderDefaultStore' => 156,
    'Sources/LarderEngine' => 3_176,
    'Sources/LarderFiles' => 3_798,
    'Sources/LarderKeyValue' => 5_815,
    'Sources/LarderSQL' => 2_149,
    'Sources/LarderMacros' => 2_924,
    'Sources/LarderRouting' => 3_432,
    'Sources/LarderMetrics' => 98,
    'Sources/LarderTesting' => 1_123,
    'Sources/LarderSwiftUI' => 809,
    'Adapters/Memory' => 1_348,
    'Adapters/SQLite' => 5_441,
    'Adapters/LMDB' => 4_090,
    'Adapters/PostgreSQL' => 6_241,
);

my $counts_only = @ARGV && $ARGV[0] eq '--count';
my $is_over = 0;

for my $room (sort keys %budgets) {
    my $lines = 0;
    for my $path (sort split /\n/, qx(find '$room' -name '*.swift')) {
        open my $file, '<', $path or die "$path: $!\n";
        my $count = () = <$file>;
        $lines += $count;
        next if $count <= $file_budget;
        print "$path: $count lines, and a file has at most $file_budget. Split it by what its parts do.\n";
        $is_over = 1;
    }
    die "$room: no Swift files. Correct the list of rooms.\n" unless $lines;
    printf "%6d of %6d  %s\n", $lines, $budgets{$room}, $room if $counts_only;
    next if $lines <= $budgets{$room};
    print "$room: $lines lines, and its budget is $budgets{$room}. Simplify it, or move a part to a room of its own.\n";
    $is_over = 1;
}

exit $is_over;
